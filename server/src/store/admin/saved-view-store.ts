import { OperatorError } from '../../domain/errors.ts';
import type { SavedView, SavedViews, SavedViewStore } from '../../domain/management/saved-views.ts';
import { firstKeyOf } from '../access/key-row.ts';
import { type LockingClient, underLedgerLock } from '../sql-client.ts';

const FIRST_KEY = `SELECT ${firstKeyOf('$1')} AS id`;
const VIEWS = 'SELECT version, views FROM saved_views WHERE first_key_id = $1';
const SET = `INSERT INTO saved_views (first_key_id, version, views) VALUES ($1, $2, $3)
ON CONFLICT (first_key_id) DO UPDATE SET version = excluded.version, views = excluded.views`;
const NONE: SavedViews = { views: [], version: 0 };

/** Saved views, for either engine. */
export class SqlSavedViewStore implements SavedViewStore {
  readonly #engine: LockingClient;

  constructor(engine: LockingClient) {
    this.#engine = engine;
  }

  async read(keyId: string): Promise<SavedViews> {
    return this.#find(await this.#firstKey(keyId));
  }

  replace(
    keyId: string,
    views: readonly SavedView[],
    ifMatch: readonly string[] | '*' = '*',
  ): Promise<SavedViews> {
    // Two browsers of a person must not both replace the same version.
    return underLedgerLock(this.#engine, async () => {
      const first = await this.#firstKey(keyId);
      const { version } = await this.#find(first);
      if (ifMatch !== '*' && !ifMatch.includes(String(version)))
        throw new OperatorError('The saved views were changed meanwhile; read them again.', {
          code: 'precondition_failed',
        });
      const next = { views, version: version + 1 };
      await this.#engine.run(SET, [first, next.version, JSON.stringify(views)]);
      return next;
    });
  }

  async #firstKey(keyId: string): Promise<string> {
    const [first] = await this.#engine.all<{ id: string | null }>(FIRST_KEY, [keyId]);
    return first?.id ?? keyId;
  }

  async #find(firstKeyId: string): Promise<SavedViews> {
    const [row] = await this.#engine.all<{ version: number; views: string }>(VIEWS, [firstKeyId]);
    return row ? { version: row.version, views: JSON.parse(row.views) as readonly SavedView[] } : NONE;
  }
}
