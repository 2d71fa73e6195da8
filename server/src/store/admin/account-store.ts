import { isDeepStrictEqual } from 'node:util';
import type { Account } from '../../domain/access/api-key.ts';
import type { Limits } from '../../domain/access/plans.ts';
import { limitsOf } from '../../domain/actions/accounts.ts';
import type { AccountChange, AccountQuery, AccountStore, NewAccount } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import { recordAction } from '../ledger/activity.ts';
import type { SqlDialect } from '../sql-client.ts';
import type { AdminEngine } from './admin-engine.ts';
import { matchingRows, textCondition, textSearch } from './text-search.ts';

interface AccountRow extends Limits, Omit<Account, 'limits'> {}

const ACCOUNTS = `SELECT id, name, plan, per_minute AS "perMinute", per_day AS "perDay", created_at AS "createdAtMs"
FROM accounts`;
const ACCOUNT = `${ACCOUNTS} WHERE id = $1`;

/** Accounts after the name `$1`, if it is given, that the pattern `$3` does not leave out. */
const page = (dialect: SqlDialect) => `${ACCOUNTS}
WHERE (CAST($1 AS text) IS NULL OR name ${dialect.bytewise} > $1) AND ${textCondition(['name', 'id'], '$3', dialect)}
ORDER BY name ${dialect.bytewise} LIMIT CAST($2 AS bigint)`;

const CREATE = `INSERT INTO accounts (id, name, plan, per_minute, per_day, created_at)
VALUES ($1, $2, $3, $4, $5, $6)`;
const UPDATE = 'UPDATE accounts SET name = $2, plan = $3, per_minute = $4, per_day = $5 WHERE id = $1';

/** The accounts of either engine. */
export class SqlAccountStore implements AccountStore {
  readonly #engine: AdminEngine;

  constructor(engine: AdminEngine) {
    this.#engine = engine;
  }

  create({ id, name, plan, limits, createdAtMs }: NewAccount, author: ActionAuthor): Promise<void> {
    return this.#withUniqueName(name, async () => {
      const { insertUsage } = this.#engine.dialect;
      await this.#engine.run(CREATE, [id, name, plan, limits.perMinute, limits.perDay, createdAtMs]);
      if (insertUsage) await this.#engine.run(insertUsage, [id]);
      const details = { name, plan, ...limits };
      await recordAction(this.#engine, author, { action: 'accounts.create', target: id, details });
    });
  }

  async list({ words = '', after, limit = Number.MAX_SAFE_INTEGER }: AccountQuery = {}): Promise<
    readonly Account[]
  > {
    const { pattern, matches } = textSearch(words);
    const statement = page(this.#engine.dialect);
    const rows = await matchingRows(
      (last: AccountRow | undefined, count) =>
        this.#engine.all<AccountRow>(statement, [last?.name ?? after ?? null, count, pattern]),
      ({ name, id }) => matches([name, id]),
      limit,
    );
    return rows.map(toAccount);
  }

  async find(accountId: string): Promise<Account | undefined> {
    const [row] = await this.#engine.all<AccountRow>(ACCOUNT, [accountId]);
    return row && toAccount(row);
  }

  update(
    accountId: string,
    { name, perMinute, perDay, ...choice }: AccountChange,
    author: ActionAuthor,
  ): Promise<Account> {
    return this.#withUniqueName(name, async () => {
      // Locked, so that no other change of the plan comes between this look and the change.
      const lock = `${ACCOUNT} ${this.#engine.dialect.forUpdate}`;
      const [row] = await this.#engine.all<AccountRow>(lock, [accountId]);
      if (!row) throw new OperatorError(`There is no account ${accountId}.`, { code: 'not_found' });
      const before = toAccount(row);
      const { plan = before.plan } = choice;
      const hasPlan = choice.plan !== undefined || perMinute !== undefined || perDay !== undefined;
      // A limit that is left out stays, but those of another plan do not become limits of the enterprise plan.
      const kept = plan === 'enterprise' && before.plan === plan ? before.limits : undefined;
      const wanted = { plan, perMinute: perMinute ?? kept?.perMinute, perDay: perDay ?? kept?.perDay };
      const limits = hasPlan ? limitsOf(wanted) : before.limits;
      const after = { ...before, name: name ?? before.name, plan, limits };
      // No change, such as a request that is sent again because its response was lost, has no entry in the log.
      if (isDeepStrictEqual(after, before)) return before;
      await this.#engine.run(UPDATE, [accountId, after.name, plan, limits.perMinute, limits.perDay]);
      const details = { name, ...(hasPlan && { plan, ...limits }) };
      await recordAction(this.#engine, author, { action: 'accounts.update', target: accountId, details });
      return after;
    });
  }

  /** @throws OperatorError `conflict` when another account has the name. */
  async #withUniqueName<T>(name: string | undefined, change: () => Promise<T>): Promise<T> {
    try {
      return await this.#engine.transaction(change);
    } catch (error) {
      if (!this.#engine.isDuplicate(error)) throw error;
      throw new OperatorError(`There is an account named ${JSON.stringify(name)} already.`);
    }
  }
}

function toAccount({ perMinute, perDay, ...account }: AccountRow): Account {
  return { ...account, limits: { perMinute, perDay } };
}
