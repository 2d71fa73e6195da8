import { petIdAfter } from '@petstore-inventory/shared/pet-id';
import { MAX_BULK_PETS } from '@petstore-inventory/shared/limits';
import {
  type ActivityVerb,
  BULK_OUTCOMES,
  type BulkOutcome,
  type BulkReason,
  type BulkState,
  type PetStatus,
} from '@petstore-inventory/shared/words';
import { createId } from '../../../domain/access/api-key.ts';
import { bigintAsText } from '../../../domain/bigint-json.ts';
import { OperatorError, validationFailed } from '../../../domain/errors.ts';
import type { Action, ActionAuthor } from '../../../domain/management/activity.ts';
import {
  BULK_KEPT_MS,
  type BulkFailureCode,
  type BulkChange,
  type BulkChangeStore,
  type BulkFacts,
  type BulkFilter,
  type BulkRow,
  type BulkRowsQuery,
  type BulkValues,
  codesAfter,
  MAX_RUNNING_BULK_CHANGES,
  type PetSelection,
  requireBulkValues,
  setsCodes,
} from '../../../domain/management/bulk-changes.ts';
import type { PetCodes } from '../../../domain/management/pet-codes.ts';
import { toBarcodes } from '../../pets/pet-sql.ts';
import { recordAction } from '../../ledger/activity.ts';
import { type LockingClient, underLedgerLock, type SqlReader } from '../../sql-client.ts';

/** The pets of a change, by outcome. */
export type BulkCounts = Record<BulkOutcome, number>;

export interface BulkRecord {
  readonly id: string;
  readonly state: BulkState;
  readonly selection: string;
  readonly newValues: string;
  readonly counts: string;
  readonly failure: BulkFailureCode | null;
  readonly createdBy: string;
  readonly appliedBy: string | null;
  readonly undoneBy: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Columns besides `selection`. */
export const BULK_COLUMNS = `id, state, new_values AS "newValues", counts, failure, actor AS "createdBy",
applied_by AS "appliedBy", undone_by AS "undoneBy", created_at AS "createdAtMs", updated_at AS "updatedAtMs"`;

/** What begins the selection of named pets. */
const NAMED = '{"petIds"';
/** Without the named pets: they can take a megabyte, and a list has many changes. */
const SHOWN_COLUMNS = `${BULK_COLUMNS}, CASE WHEN substr(selection, 1, ${NAMED.length}) = '${NAMED}' THEN '${NAMED}' ELSE selection END AS selection`;

const RUNNING = `state IN ('planning', 'applying', 'undoing')`;

/** The plan that is not applied; a newer one replaces it. */
const REPLACE = `UPDATE bulk_changes SET state = 'cancelled', updated_at = $2, lease_until = 0
WHERE actor = $1 AND state IN ('planning', 'planned')`;

const CREATE = `INSERT INTO bulk_changes (id, state, selection, new_values, counts, actor, created_at, updated_at)
SELECT $1, 'planning', $2, $3, '{}', $4, CAST($5 AS bigint), CAST($5 AS bigint)
WHERE (SELECT count(*) FROM bulk_changes WHERE ${RUNNING} AND (actor = $4 OR applied_by = $4 OR undone_by = $4)) < ${MAX_RUNNING_BULK_CHANGES}`;

/** Rows of an older change may be deleted: the rest alone would be applied or undone. */
const IS_KEPT = `updated_at > CAST($2 AS bigint) - ${BULK_KEPT_MS}`;

const APPLY = `UPDATE bulk_changes SET state = 'applying', updated_at = $2, lease_until = 0, attempts = 0, applied_by = $3,
request_id = $4 WHERE id = $1 AND state = 'planned' AND ${IS_KEPT}`;

/** A change that was stopped is undone too. */
const UNDO = `UPDATE bulk_changes SET state = 'undoing', updated_at = $2, lease_until = 0, attempts = 0, undone_by = $3,
request_id = $4, failure = NULL WHERE id = $1 AND state IN ('applied', 'cancelled', 'failed') AND ${IS_KEPT} AND EXISTS (
  SELECT 1 FROM bulk_rows WHERE change_id = $1 AND outcome = 'changed'
)`;

/** Takes the lease from the runner, which must not continue with the undo of its own change. */
const CANCEL = `UPDATE bulk_changes SET state = 'cancelled', updated_at = $2, lease_until = 0, lease_owner = NULL
WHERE id = $1 AND (state = 'planned' OR ${RUNNING})`;

const FACTS = `CAST(bulk_rows.pet_id AS text) AS "petId", outcome, reason, bulk_rows.category, bulk_rows.status,
bulk_rows.low_stock_at AS "lowStockAt", bulk_rows.restock_at AS "restockAt", bulk_rows.archived_at AS "archivedAtMs",
bulk_rows.sku, bulk_rows.barcodes, bulk_rows.supplier, bulk_rows.ordered, CAST(code_owner AS text) AS "codeOwner", new_values AS "newValues"`;

const rows = (condition: string): string => `SELECT ${FACTS}, pets.name FROM bulk_rows
JOIN bulk_changes ON bulk_changes.id = change_id LEFT JOIN pets ON pets.pet_id = bulk_rows.pet_id
WHERE change_id = $1 AND bulk_rows.pet_id >= CAST($2 AS bigint) ${condition} ORDER BY bulk_rows.pet_id LIMIT $3`;

interface RowRecord {
  readonly petId: string;
  readonly name: string | null;
  readonly outcome: BulkOutcome;
  readonly reason: BulkReason | null;
  readonly category: string | null;
  readonly status: PetStatus | null;
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
  readonly archivedAtMs: number | null;
  readonly sku: string | null;
  readonly barcodes: string | null;
  readonly supplier: string | null;
  readonly ordered: number | null;
  readonly codeOwner: string | null;
  readonly newValues: string;
}

export const NO_COUNTS = Object.fromEntries(BULK_OUTCOMES.map((outcome) => [outcome, 0])) as BulkCounts;

/** The actions of people on bulk changes, for either engine. */
export class SqlBulkChangeStore implements BulkChangeStore {
  readonly #engine: LockingClient;

  constructor(engine: LockingClient) {
    this.#engine = engine;
  }

  async create(selection: PetSelection, given: BulkValues, author: ActionAuthor): Promise<BulkChange> {
    const values = requireBulkValues(given);
    const stored = storedSelection(selection, values);
    const id = createId('blk');
    // Two requests must not both find the last free place.
    return underLedgerLock(this.#engine, async (nowMs) => {
      await this.#engine.run(REPLACE, [author.actor, nowMs]);
      const isMade = await this.#engine.run(CREATE, [
        id,
        stored,
        JSON.stringify(values),
        author.actor,
        nowMs,
      ]);
      if (isMade === 1) return this.#recorded('create', id, author);
      throw new OperatorError(
        `This key has ${MAX_RUNNING_BULK_CHANGES} bulk changes that are running; wait for one of them, or cancel it.`,
      );
    });
  }

  async list({ limit, before }: Parameters<BulkChangeStore['list']>[0]): Promise<readonly BulkChange[]> {
    const isEarlier = before === undefined ? '' : 'WHERE (created_at, id) < (CAST($2 AS bigint), $3)';
    const records = await this.#engine.all<BulkRecord>(
      `SELECT ${SHOWN_COLUMNS} FROM bulk_changes ${isEarlier} ORDER BY created_at DESC, id DESC LIMIT $1`,
      before === undefined ? [limit] : [limit, before.createdAtMs, before.id],
    );
    return records.map(toBulkChange);
  }

  async find(id: string): Promise<BulkChange> {
    return toBulkChange(await findRecord(this.#engine, id));
  }

  async rows(id: string, { outcome, after, limit }: BulkRowsQuery): Promise<readonly BulkRow[]> {
    const first = petIdAfter(after);
    if (first === undefined) return [];
    const values = [id, String(first), limit];
    const found =
      outcome === undefined
        ? this.#engine.all<RowRecord>(rows(''), values)
        : this.#engine.all<RowRecord>(rows('AND outcome = $4'), [...values, outcome]);
    return (await found).map(toBulkRow);
  }

  apply(id: string, author: ActionAuthor): Promise<BulkChange> {
    return this.#act('apply', id, author, (nowMs) =>
      this.#engine.run(APPLY, [id, nowMs, author.actor, author.requestId]),
    );
  }

  undo(id: string, author: ActionAuthor): Promise<BulkChange> {
    return this.#act('undo', id, author, (nowMs) =>
      this.#engine.run(UNDO, [id, nowMs, author.actor, author.requestId]),
    );
  }

  cancel(id: string, author: ActionAuthor): Promise<BulkChange> {
    return this.#act('cancel', id, author, (nowMs) => this.#engine.run(CANCEL, [id, nowMs]));
  }

  /** Changes the state, if it allows that, and records the action. */
  #act(
    verb: 'apply' | 'undo' | 'cancel',
    id: string,
    author: ActionAuthor,
    change: (nowMs: number) => Promise<number>,
  ): Promise<BulkChange> {
    // A batch that is being written has a transaction of its own, whose counts must be in the line.
    return underLedgerLock(this.#engine, async (nowMs) => {
      if ((await change(nowMs)) === 1) return this.#recorded(verb, id, author);
      const past = { apply: 'applied', undo: 'undone', cancel: 'cancelled' } as const;
      const { state, updatedAtMs } = await this.find(id);
      const isOld = verb !== 'cancel' && updatedAtMs <= nowMs - BULK_KEPT_MS;
      const phrase = isOld ? 'had no action for 7 days, and is being deleted' : STATE_PHRASES[state];
      throw new OperatorError(`Bulk change ${id} cannot be ${past[verb]}: it ${phrase}.`);
    });
  }

  async #recorded(verb: ActivityVerb<'bulk-changes'>, id: string, author: ActionAuthor): Promise<BulkChange> {
    const changed = await this.find(id);
    await recordAction(this.#engine, author, actionOf(verb, changed), changed.updatedAtMs);
    return changed;
  }
}

const STATE_PHRASES: Readonly<Record<BulkState, string>> = {
  planning: 'is being planned',
  planned: 'is planned',
  applying: 'is being applied',
  applied: 'is applied, and no pet of it can be undone',
  undoing: 'is being undone',
  undone: 'is undone',
  cancelled: 'is cancelled, or a newer plan of its key replaced it',
  failed: 'has failed',
};

async function findRecord(client: SqlReader, id: string): Promise<BulkRecord> {
  const [record] = await client.all<BulkRecord>(`SELECT ${SHOWN_COLUMNS} FROM bulk_changes WHERE id = $1`, [
    id,
  ]);
  if (record) return record;
  throw new OperatorError(`There is no bulk change ${id}.`, { code: 'not_found' });
}

/** Within the transaction that ends a change or its undo, records how many pets have which outcome. A plan changes nothing. */
export async function recordEnd(client: LockingClient, id: string, ended: BulkState): Promise<void> {
  if (ended !== 'applying' && ended !== 'undoing') return;
  const [row] = await client.all<{ requestId: string | null }>(
    'SELECT request_id AS "requestId" FROM bulk_changes WHERE id = $1',
    [id],
  );
  const author = { actor: 'service', requestId: row?.requestId ?? null };
  await recordAction(client, author, actionOf('finish', toBulkChange(await findRecord(client, id))));
}

function actionOf(
  verb: ActivityVerb<'bulk-changes'>,
  { id, state, filter, values, counts }: BulkChange,
): Action {
  const pets = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  const details = { ...(verb === 'finish' && { state }), ...(filter && { filter }), set: values, pets };
  return { action: `bulk-changes.${verb}`, target: id, details };
}

function storedSelection(selection: PetSelection, { ordered }: BulkValues): string {
  const given = 'petIds' in selection ? selection.units : undefined;
  if ((ordered === 'units') !== (given !== undefined)) {
    throw validationFailed('units: they need petIds, and "units" as ordered in set; it needs them.');
  }
  if (!('petIds' in selection)) return JSON.stringify({ filter: selection.filter }, bigintAsText);
  const petIds = [...new Set(selection.petIds)].sort((a, b) => (a < b ? -1 : 1));
  if (petIds.length === 0 || petIds.length > MAX_BULK_PETS) {
    throw validationFailed(`petIds: name 1 to ${MAX_BULK_PETS} pets, or use a filter.`);
  }
  if (!given) return JSON.stringify({ petIds }, bigintAsText);
  if (given.length !== petIds.length || petIds.length !== selection.petIds.length) {
    throw validationFailed('units: give one number of each pet of petIds, which names each pet once.');
  }
  const unitsOf = new Map(selection.petIds.map((petId, i) => [petId, given[i]]));
  return JSON.stringify({ petIds, units: petIds.map((petId) => unitsOf.get(petId)) }, bigintAsText);
}

/** The selection as it was stored. */
export function readSelection(stored: string): PetSelection {
  const {
    petIds,
    units,
    filter,
  }: {
    petIds?: readonly string[];
    units?: readonly number[];
    filter?: BulkFilter & { petIds?: readonly string[] };
  } = JSON.parse(stored);
  if (petIds) return { petIds: petIds.map(BigInt), units };
  const { petIds: listed, ...others } = filter as NonNullable<typeof filter>;
  return { filter: { ...others, ...(listed && { petIds: listed.map(BigInt) }) } };
}

function toBulkChange({ selection, newValues, counts, ...record }: BulkRecord): BulkChange {
  const isNamed = selection.startsWith(NAMED);
  const read = isNamed ? undefined : readSelection(selection);
  return {
    ...record,
    filter: read && 'filter' in read ? read.filter : null,
    values: JSON.parse(newValues) as BulkValues,
    counts: readCounts(counts),
  };
}

export function readCounts(stored: string): BulkCounts {
  return { ...NO_COUNTS, ...(JSON.parse(stored) as Partial<BulkCounts>) };
}

function toBulkRow({ petId, status, codeOwner, newValues, ...record }: RowRecord): BulkRow {
  const { name, outcome, reason, ordered, ...facts } = record;
  const id = BigInt(petId);
  const before = status === null ? null : toFacts({ ...facts, status, barcodes: toBarcodes(facts.barcodes) });
  return {
    petId: id,
    name,
    outcome,
    reason,
    codeOwner: codeOwner === null ? null : BigInt(codeOwner),
    before,
    codes: before && shownCodes(JSON.parse(newValues) as BulkValues, id, before),
    ordered,
  };
}

/** The codes of a pet with the new values, if these have any. */
export function shownCodes(values: BulkValues, petId: bigint, before: BulkFacts): PetCodes | null {
  return setsCodes(values) ? codesAfter(values, petId, before) : null;
}

/** The values of a pet that a bulk change can change. */
export function toFacts({
  category,
  status,
  lowStockAt,
  restockAt,
  archivedAtMs,
  sku,
  barcodes,
  supplier,
}: Omit<BulkFacts, 'isArchived'> & { readonly archivedAtMs: number | null }): BulkFacts {
  return {
    category,
    status,
    lowStockAt,
    restockAt,
    isArchived: archivedAtMs !== null,
    sku,
    barcodes,
    supplier,
  };
}
