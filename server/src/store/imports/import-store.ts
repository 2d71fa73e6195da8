import { MAX_INT64, MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import type { ActivityVerb } from '@petstore-inventory/shared/words';
import { createId } from '../../domain/access/api-key.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import {
  type Import,
  type ImportRow,
  type ImportRowsQuery,
  type ImportState,
  type ImportStore,
  MAX_UNFINISHED_IMPORTS,
  MAX_UNFINISHED_IMPORTS_PER_KEY,
  type NewImport,
} from '../../domain/management/imports.ts';
import { recordAction } from '../ledger/activity.ts';
import type { ImportEngine } from './import-engine.ts';
import { isFree, TOO_LONG_MS, UPLOAD_TIMEOUT_MS } from './import-lease.ts';
import { IMPORT_COLUMNS, type ImportRecord, toImport, toImportRow } from './import-row.ts';
import { type PlannedRow, previewRows } from './plan-sql.ts';
import { underLedgerLock } from '../sql-client.ts';

const UNFINISHED = `state IN ('receiving', 'checking', 'planned', 'stale', 'applying')`;
const SHOWN = `state <> 'deleted'`;

/** Whether another import may begin. @param actor The parameter that has the key. */
const hasPlace = (actor: string): string =>
  `(SELECT count(*) FROM imports WHERE ${UNFINISHED}) < ${MAX_UNFINISHED_IMPORTS}
AND (SELECT count(*) FROM imports WHERE ${UNFINISHED} AND actor = ${actor}) < ${MAX_UNFINISHED_IMPORTS_PER_KEY}`;

const BEGIN = `INSERT INTO imports (id, state, format, mode, file_name, byte_count, actor, created_at, updated_at, lease_until,
reading) SELECT $1, 'receiving', $2, $3, $4, 0, $5, CAST($6 AS bigint), CAST($6 AS bigint), CAST($7 AS bigint), $8
WHERE ${hasPlace('$5')}`;

const EXTEND_UPLOAD = `UPDATE imports SET byte_count = byte_count + $2, updated_at = $3, lease_until = $4
WHERE id = $1 AND state = 'receiving'`;

const COMPLETE = `UPDATE imports SET state = 'checking', updated_at = $2, lease_until = 0 WHERE id = $1 AND state = 'receiving'`;

const PLAN = `UPDATE imports SET state = 'checking', updated_at = $2, lease_until = 0, attempts = 0, read_bytes = 0,
new_count = 0, changed_count = 0, unchanged_count = 0, faults = NULL, fault_count = 0, bad_row_count = 0, doubtful_count = 0, facts = NULL, failure = NULL
WHERE id = $1 AND state IN ('planned', 'stale', 'failed') AND (undoes IS NULL OR EXISTS (
  SELECT 1 FROM imports AS other WHERE other.id = imports.undoes AND other.state = 'applied' AND other.undone_by IS NULL
))`;

const APPLY = `UPDATE imports SET state = 'applying', updated_at = $2, lease_until = 0, attempts = 0, applied_by = $3,
request_id = $4 WHERE id = $1
AND (state = 'planned' OR CAST($5 AS bigint) = 1 AND state = 'invalid' AND new_count + changed_count > 0)
AND (undoes IS NULL OR new_count + changed_count > 0)
AND NOT EXISTS (SELECT 1 FROM imports AS other WHERE other.id = imports.undoes AND other.undone_by IS NOT NULL)`;

/** It is not received: it is planned from the rows of the import `$2`. */
const UNDO = `INSERT INTO imports (id, state, format, mode, file_name, byte_count, actor, created_at, updated_at, undoes)
SELECT $1, 'checking', format, 'add', file_name, 0, $3, CAST($4 AS bigint), CAST($4 AS bigint), id FROM imports
WHERE id = $2 AND ${hasPlace('$3')}`;

const WAITING_UNDO = `SELECT id FROM imports WHERE undoes = $1 AND state IN ('checking', 'planned', 'stale', 'applying')
ORDER BY created_at, id LIMIT 1`;

const CANCEL = `UPDATE imports SET state = 'cancelled', updated_at = $2, lease_until = 0
WHERE id = $1 AND (state IN ('receiving', 'checking', 'planned', 'stale') OR state = 'applying' AND ${isFree('$2')})`;

/** While a runner holds an import, the others wait for it. One that was requested far in the future waits since then. */
const FAIL_UNSTARTED = `UPDATE imports SET state = 'failed', updated_at = $1, lease_until = 0, failure = 'not_started'
WHERE state IN ('checking', 'applying') AND (updated_at <= $2 OR updated_at >= CAST($1 AS bigint) + ${TOO_LONG_MS})
AND NOT EXISTS (SELECT 1 FROM imports WHERE state IN ('checking', 'applying') AND NOT ${isFree('$1')})`;

const DELETE = `UPDATE imports SET state = 'deleted', updated_at = $2, lease_until = 0
WHERE id = $1 AND ${SHOWN} AND (state <> 'applying' OR ${isFree('$2')})`;

/** The actions of people on imports, for either engine. */
export class SqlImportStore implements ImportStore {
  readonly #engine: ImportEngine;

  constructor(engine: ImportEngine) {
    this.#engine = engine;
  }

  begin({ format, mode, fileName, reading = {}, actor }: NewImport): Promise<string> {
    const id = createId('imp');
    this.#engine.keepReserve();
    // Two instances must not both find the last free place.
    return underLedgerLock(this.#engine, async (nowMs) => {
      const endMs = nowMs + UPLOAD_TIMEOUT_MS;
      const values = [id, format, mode, fileName, actor, nowMs, endMs, JSON.stringify(reading)];
      if ((await this.#engine.run(BEGIN, values)) === 1) return id;
      throw tooMany();
    });
  }

  undo(id: string, author: ActionAuthor): Promise<Import> {
    const undoId = createId('imp');
    this.#engine.keepReserve();
    // Two requests must not make two plans.
    return underLedgerLock(this.#engine, async (nowMs) => {
      const { state, undoneBy, counts } = await this.#required(id);
      if (state !== 'applied') throw refusal('undone', { id, state });
      if (undoneBy !== null) {
        throw new OperatorError(
          `Import ${id} is undone already, by ${undoneBy}; undo ${undoneBy} to apply it again.`,
        );
      }
      if (counts.new + counts.changed === 0) throw new OperatorError(`Import ${id} has changed nothing.`);
      const [waiting] = await this.#engine.all<{ id: string }>(WAITING_UNDO, [id]);
      if (waiting) return this.#required(waiting.id);
      if ((await this.#engine.run(UNDO, [undoId, id, author.actor, nowMs])) === 0) throw tooMany();
      return this.#recorded('undo', undoId, author, nowMs);
    });
  }

  addPart(id: string, number: number, content: Uint8Array): Promise<void> {
    return this.#engine.transaction(async () => {
      const nowMs = await this.#engine.now();
      const values = [id, content.byteLength, nowMs, nowMs + UPLOAD_TIMEOUT_MS];
      if ((await this.#engine.run(EXTEND_UPLOAD, values)) === 0) throw interrupted();
      await this.#engine.run('INSERT INTO import_parts VALUES ($1, $2, $3)', [id, number, content]);
    });
  }

  complete(id: string, author: ActionAuthor): Promise<Import> {
    return this.#engine.transaction(async () => {
      const nowMs = await this.#engine.now();
      if ((await this.#engine.run(COMPLETE, [id, nowMs])) === 0) throw interrupted();
      return this.#recorded('create', id, author, nowMs);
    });
  }

  async abandon(id: string): Promise<void> {
    const sql = `UPDATE imports SET state = 'deleted' WHERE id = $1 AND state = 'receiving'`;
    await this.#engine.cleanUp(() => this.#engine.run(sql, [id]));
  }

  async list({ limit, before }: Parameters<ImportStore['list']>[0]): Promise<readonly Import[]> {
    const isEarlier = before === undefined ? '' : 'AND (created_at, id) < (CAST($2 AS bigint), $3)';
    const rows = await this.#engine.all<ImportRecord>(
      `SELECT ${IMPORT_COLUMNS} FROM imports WHERE ${SHOWN} ${isEarlier} ORDER BY created_at DESC, id DESC LIMIT $1`,
      before === undefined ? [limit] : [limit, before.createdAtMs, before.id],
    );
    return rows.map(toImport);
  }

  async find(id: string): Promise<Import | undefined> {
    const sql = `SELECT ${IMPORT_COLUMNS} FROM imports WHERE id = $1 AND ${SHOWN}`;
    const [row] = await this.#engine.all<ImportRecord>(sql, [id]);
    return row && toImport(row);
  }

  async rows(id: string, { effect, after, limit }: ImportRowsQuery): Promise<readonly ImportRow[]> {
    if (after === MAX_INT64) return [];
    const from = after === undefined ? MIN_INT64 : after + 1n;
    const condition = effect === undefined ? 'true' : 'effect = $4';
    const values = [id, String(from), limit, ...(effect === undefined ? [] : [effect])];
    return (await this.#engine.all<PlannedRow>(previewRows(condition), values)).map(toImportRow);
  }

  plan(id: string, author: ActionAuthor): Promise<Import> {
    return this.#act('plan', id, author, (nowMs) => this.#engine.run(PLAN, [id, nowMs]));
  }

  apply(id: string, author: ActionAuthor, leavesOut = false): Promise<Import> {
    return this.#act('apply', id, author, (nowMs) =>
      this.#engine.run(APPLY, [id, nowMs, author.actor, author.requestId, leavesOut ? 1 : 0]),
    );
  }

  async badRows(id: string, number: number): Promise<string | undefined> {
    const sql = 'SELECT content FROM import_bad_rows WHERE import_id = $1 AND number = $2';
    return (await this.#engine.all<{ content: string }>(sql, [id, number]))[0]?.content;
  }

  cancel(id: string, author: ActionAuthor): Promise<Import> {
    return this.#act('cancel', id, author, (nowMs) => this.#engine.run(CANCEL, [id, nowMs]));
  }

  failUnstarted(waitedMs: number): Promise<number> {
    return this.#engine.transaction(async () => {
      const nowMs = await this.#engine.now();
      return this.#engine.run(FAIL_UNSTARTED, [nowMs, nowMs - waitedMs]);
    });
  }

  delete(id: string, author: ActionAuthor): Promise<void> {
    return this.#engine.cleanUp(async () => {
      const found = await this.#required(id);
      const nowMs = await this.#engine.now();
      if ((await this.#engine.run(DELETE, [id, nowMs])) === 0) throw refusal('deleted', found);
      await this.#record('delete', found, author, nowMs);
    });
  }

  /** Changes the state, if it allows that, and records the action. */
  #act(
    verb: 'plan' | 'apply' | 'cancel',
    id: string,
    author: ActionAuthor,
    change: (nowMs: number) => Promise<number>,
  ): Promise<Import> {
    const isFreeing = verb === 'cancel';
    return this.#engine[isFreeing ? 'cleanUp' : 'transaction'](async () => {
      const nowMs = await this.#engine.now();
      if ((await change(nowMs)) === 1) return this.#recorded(verb, id, author, nowMs);
      const past = { plan: 'planned', apply: 'applied', cancel: 'cancelled' } as const;
      const found = await this.#required(id);
      throw (await this.#undoRefusal(verb, found)) ?? refusal(past[verb], found);
    });
  }

  /** What keeps the plan of an undo from another step; `undefined`: its state. */
  async #undoRefusal(verb: 'plan' | 'apply' | 'cancel', found: Import): Promise<OperatorError | undefined> {
    const states: readonly ImportState[] = UNDO_STATES[verb];
    if (found.undoes === null || !states.includes(found.state)) return undefined;
    const other = await this.find(found.undoes);
    const isEmpty = verb === 'apply' && found.counts.new + found.counts.changed === 0;
    if (isEmpty && !other?.undoneBy)
      return new OperatorError(`Nothing of import ${found.undoes} is left to undo.`);
    if (other ? other.undoneBy === null : verb === 'apply') return undefined;
    const why = other?.undoneBy ? `undone already, by ${other.undoneBy}` : 'deleted';
    return new OperatorError(`Import ${found.undoes}, which import ${found.id} undoes, is ${why}.`);
  }

  async #recorded(
    verb: ActivityVerb<'imports'>,
    id: string,
    author: ActionAuthor,
    nowMs: number,
  ): Promise<Import> {
    const changed = await this.#required(id);
    await this.#record(verb, changed, author, nowMs);
    return changed;
  }

  async #record(
    verb: ActivityVerb<'imports'>,
    { id, mode, fileName, byteCount, counts, badRowCount, undoes }: Import,
    author: ActionAuthor,
    nowMs: number,
  ): Promise<void> {
    const details = {
      fileName,
      byteCount,
      mode,
      ...(undoes !== null && { undoes }),
      ...(verb === 'apply' ? { ...counts, ...(badRowCount > 0 && { leftOut: badRowCount }) } : {}),
    };
    await recordAction(this.#engine, author, { action: `imports.${verb}`, target: id, details }, nowMs);
  }

  async #required(id: string): Promise<Import> {
    const found = await this.find(id);
    if (found) return found;
    throw new OperatorError(`There is no import ${id}.`, { code: 'not_found' });
  }
}

function tooMany(): OperatorError {
  return new OperatorError(
    `This key has ${MAX_UNFINISHED_IMPORTS_PER_KEY} unfinished imports already, or all keys together have ${MAX_UNFINISHED_IMPORTS}; apply, cancel or delete one of them first.`,
  );
}

function interrupted(): OperatorError {
  return new OperatorError(
    'The upload was interrupted for too long, cancelled or deleted; send the file again.',
  );
}

/** The states of the plan of an undo from which a step is refused only because of the import that it undoes. */
const UNDO_STATES = {
  plan: ['planned', 'stale', 'failed'],
  apply: ['planned', 'invalid'],
  cancel: [],
} as const satisfies Readonly<Record<string, readonly ImportState[]>>;

const STATE_PHRASES: Readonly<Record<ImportState, string>> = {
  receiving: 'is being received',
  checking: 'is being checked',
  planned: 'is planned',
  invalid: 'is invalid',
  applying: 'is being applied',
  applied: 'is applied',
  stale: 'is stale: plan it again',
  cancelled: 'is cancelled',
  failed: 'has failed',
};

function refusal(action: string, { id, state }: Pick<Import, 'id' | 'state'>): OperatorError {
  return new OperatorError(`Import ${id} cannot be ${action}: it ${STATE_PHRASES[state]}.`);
}
