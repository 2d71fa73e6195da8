import type { BanQuery, BanRow, BanStore } from '../../domain/admin-store.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import { recordAction } from '../ledger/activity.ts';
import type { SqlDialect } from '../sql-client.ts';
import type { AdminEngine } from './admin-engine.ts';

const BAN = {
  page: ({
    bytewise,
  }: SqlDialect) => `SELECT bans.id, key_id AS "keyId", level, banned_at AS "bannedAtMs", ends_at AS "endsAtMs",
lifted_at AS "liftedAtMs", hint AS "keyHint", accounts.name AS "accountName"
FROM bans JOIN api_keys ON api_keys.id = key_id JOIN accounts ON accounts.id = account_id
WHERE lifted_at IS NULL AND ends_at > $1 AND (CAST($2 AS text) IS NULL OR key_id ${bytewise} > $2)
ORDER BY key_id ${bytewise}, bans.id LIMIT CAST($3 AS bigint)`,

  running: 'SELECT 1 FROM bans WHERE key_id = $1 AND lifted_at IS NULL AND ends_at > $2',

  /** Lifts all bans of a key: one that stays unlifted would make the next one longer. */
  lift: 'UPDATE bans SET lifted_at = $2 WHERE key_id = $1 AND lifted_at IS NULL',
} as const;

/** The bans of either engine. */
export class SqlBanStore implements BanStore {
  readonly #engine: AdminEngine;

  constructor(engine: AdminEngine) {
    this.#engine = engine;
  }

  list(nowMs: number, { after, limit }: BanQuery = {}): Promise<readonly BanRow[]> {
    const values = [nowMs, after ?? null, limit ?? Number.MAX_SAFE_INTEGER];
    return this.#engine.all<BanRow>(BAN.page(this.#engine.dialect), values);
  }

  lift(keyId: string, atMs: number, author: ActionAuthor): Promise<boolean> {
    return this.#engine.transaction(async () => {
      if ((await this.#engine.all(BAN.running, [keyId, atMs])).length === 0) return false;
      await this.#engine.run(BAN.lift, [keyId, atMs]);
      await recordAction(this.#engine, author, { action: 'keys.lift-ban', target: keyId, details: {} });
      return true;
    });
  }
}
