import { hash } from 'node:crypto';
import { OperatorError } from '../../domain/errors.ts';
import type { SavedView, SavedViews, SavedViewStore } from '../../domain/management/saved-views.ts';
import { firstKeyOf } from '../access/key-row.ts';
import { type LockingClient, underLedgerLock } from '../sql-client.ts';

const FIRST_KEY = `SELECT ${firstKeyOf('$1')} AS id`;
const VIEWS = 'SELECT version, views FROM saved_views WHERE first_key_id = $1';
const SET = `INSERT INTO saved_views (first_key_id, version, views) VALUES ($1, $2, $3)
ON CONFLICT (first_key_id) DO UPDATE SET version = excluded.version, views = excluded.views`;

/** Characters of the hash in a tag. */
const TAG_LENGTH = 16;

/** A row of a person. */
interface StoredViews {
  /** Counts the changes. */
  readonly version: number;
  /** JSON. */
  readonly views: string;
}

const NONE: StoredViews = { version: 0, views: '[]' };

function toViews({ version, views }: StoredViews): SavedViews {
  const content = hash('sha256', views, 'base64url').slice(0, TAG_LENGTH);
  return { views: JSON.parse(views) as readonly SavedView[], tag: `${version}-${content}` };
}

/** Saved views, for either engine. */
export class SqlSavedViewStore implements SavedViewStore {
  readonly #engine: LockingClient;

  constructor(engine: LockingClient) {
    this.#engine = engine;
  }

  async read(keyId: string): Promise<SavedViews> {
    return toViews(await this.#find(await this.#firstKey(keyId)));
  }

  replace(
    keyId: string,
    views: readonly SavedView[],
    ifMatch: readonly string[] | '*' = '*',
  ): Promise<SavedViews> {
    // Two browsers of a person must not both replace the same views.
    return underLedgerLock(this.#engine, async () => {
      const first = await this.#firstKey(keyId);
      const found = await this.#find(first);
      if (ifMatch !== '*' && !ifMatch.includes(toViews(found).tag))
        throw new OperatorError('The saved views were changed meanwhile; read them again.', {
          code: 'precondition_failed',
        });
      const next = { version: found.version + 1, views: JSON.stringify(views) };
      await this.#engine.run(SET, [first, next.version, next.views]);
      return toViews(next);
    });
  }

  async #firstKey(keyId: string): Promise<string> {
    const [first] = await this.#engine.all<{ id: string | null }>(FIRST_KEY, [keyId]);
    return first?.id ?? keyId;
  }

  async #find(firstKeyId: string): Promise<StoredViews> {
    const [row] = await this.#engine.all<StoredViews>(VIEWS, [firstKeyId]);
    return row ?? NONE;
  }
}
