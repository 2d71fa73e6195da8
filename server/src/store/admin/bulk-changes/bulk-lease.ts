import { randomUUID } from 'node:crypto';
import type { BulkOutcome, BulkState } from '@petstore-inventory/shared/words';
import type { ActionAuthor } from '../../../domain/management/activity.ts';
import type { BulkFailureCode, BulkValues, PetSelection } from '../../../domain/management/bulk-changes.ts';
import type { PetPosition } from '../../../domain/management/pets.ts';
import { isFree, LostLease } from '../../imports/import-lease.ts';
import type { AdminEngine } from '../admin-engine.ts';
import {
  BULK_COLUMNS,
  type BulkCounts,
  type BulkRecord,
  readCounts,
  readSelection,
  recordEnd,
} from './bulk-change-store.ts';

/** A runner renews its lease with each batch. */
const LEASE_MS = 15_000;

const IS_FREE = isFree('$2', 2 * LEASE_MS);

/** The change `$1`, if the runner `$2` holds it. */
const IS_HELD = `id = $1 AND lease_owner = $2 AND state IN ('planning', 'applying', 'undoing')`;

const CLAIM = `UPDATE bulk_changes SET lease_owner = $1, attempts = attempts + 1,
lease_until = CAST($2 AS bigint) + ${LEASE_MS}
WHERE ${IS_FREE} AND id = (SELECT id FROM bulk_changes WHERE state IN ('planning', 'applying', 'undoing')
AND ${IS_FREE} ORDER BY updated_at, id LIMIT 1)`;

const CLAIMED = `SELECT ${BULK_COLUMNS}, selection, position, attempts, request_id AS "requestId" FROM bulk_changes
WHERE lease_owner = $1`;

/** A batch that is written proves that the attempt is no endless loop. */
const RENEW = `UPDATE bulk_changes SET lease_until = $3, updated_at = $4, counts = $5, position = $6, attempts = 1 WHERE ${IS_HELD}`;
const HOLDS = `SELECT counts FROM bulk_changes WHERE ${IS_HELD}`;
const RELEASE = 'UPDATE bulk_changes SET lease_until = $3 WHERE id = $1 AND lease_owner = $2';
const FINISH = `UPDATE bulk_changes SET state = $3, updated_at = $4, counts = $5, lease_until = 0, attempts = 0, failure = $6,
position = NULL WHERE ${IS_HELD}`;

const COUNTS = 'SELECT outcome, count(*) AS count FROM bulk_rows WHERE change_id = $1 GROUP BY outcome';

/** A change that this runner works on. */
export interface Task {
  readonly id: string;
  /** Names the lease. */
  readonly owner: string;
  readonly state: BulkState;
  readonly selection: PetSelection;
  readonly values: BulkValues;
  /** The author of the movements. */
  readonly author: ActionAuthor;
}

/** Where a plan continues: after a pet of a filter, or at a place in the list of named ones. */
export type Position =
  | (Omit<PetPosition, 'petId'> & { readonly petId: string })
  | { readonly place: number }
  | null;

interface ClaimedRecord extends BulkRecord {
  readonly position: string | null;
  readonly attempts: number;
  readonly requestId: string | null;
}

/** A change with its lease. */
interface Claim {
  readonly task: Task;
  /** How often it was claimed since a batch of it was written, this time included. */
  readonly attempts: number;
  readonly position: Position;
}

/** The lease of a bulk change: only the runner that holds it writes the pets and the result of the change. */
export class BulkLease {
  readonly #engine: AdminEngine;

  constructor(engine: AdminEngine) {
    this.#engine = engine;
  }

  /** Takes the change that waits for the longest time; `undefined` without one. */
  async claim(): Promise<Claim | undefined> {
    // An owner names one lease.
    const owner = randomUUID();
    const row = await this.#engine.transaction(async () => {
      if ((await this.#engine.run(CLAIM, [owner, await this.#engine.now()])) === 0) return undefined;
      const [claimed] = await this.#engine.all<ClaimedRecord>(CLAIMED, [owner]);
      return claimed;
    });
    if (!row) return undefined;
    const { id, state, selection, newValues, position, attempts, appliedBy, undoneBy, requestId } = row;
    const actor = (state === 'undoing' ? undoneBy : appliedBy) ?? row.createdBy;
    const task: Task = {
      id,
      owner,
      state,
      selection: readSelection(selection),
      values: JSON.parse(newValues) as BulkValues,
      author: { actor, requestId },
    };
    return { task, attempts, position: JSON.parse(position ?? 'null') as Position };
  }

  /** Within a transaction, does work for a change that this runner still holds. @throws LostLease otherwise. */
  async renewWithin(
    task: Task,
    position: Position,
    work: (counts: BulkCounts) => Promise<void>,
  ): Promise<void> {
    const [held] = await this.#engine.all<{ counts: string }>(HOLDS, [task.id, task.owner]);
    if (!held) throw new LostLease();
    const counts = readCounts(held.counts);
    await work(counts);
    const nowMs = await this.#engine.now();
    const stored = position === null ? null : JSON.stringify(position);
    const values = [task.id, task.owner, nowMs + LEASE_MS, nowMs, JSON.stringify(counts), stored];
    if ((await this.#engine.run(RENEW, values)) === 0) throw new LostLease();
  }

  /** Ends the change in a transaction of its own. */
  end(task: Task, state: BulkState, failure: BulkFailureCode | null = null): Promise<void> {
    return this.#engine.transaction(() => this.endWithin(task, state, failure));
  }

  /** Within a transaction, ends the change with its counts, and records that. */
  async endWithin(task: Task, state: BulkState, failure: BulkFailureCode | null): Promise<void> {
    const rows = await this.#engine.all<{ outcome: BulkOutcome; count: number }>(COUNTS, [task.id]);
    const counts = JSON.stringify(
      Object.fromEntries(rows.map(({ outcome, count }) => [outcome, Number(count)])),
    );
    const values = [task.id, task.owner, state, await this.#engine.now(), counts, failure];
    if ((await this.#engine.run(FINISH, values)) === 1) await recordEnd(this.#engine, task.id, task.state);
  }

  /** Leaves the change to any runner after a delay. */
  async release({ id, owner }: Task, delayMs: number): Promise<void> {
    const untilMs = (await this.#engine.now()) + delayMs;
    await this.#engine.transaction(() => this.#engine.run(RELEASE, [id, owner, untilMs]));
  }
}
