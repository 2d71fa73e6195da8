import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { shownValue } from '@petstore-inventory/shared/shown-value';
import type { StocktakeState } from '@petstore-inventory/shared/words';
import { createId } from '../../domain/access/api-key.ts';
import { OperatorError, validationFailed } from '../../domain/errors.ts';
import { unknownPet } from '../../domain/inventory.ts';
import type { Explanation } from '../../domain/ledger/ledger.ts';
import type { StockRules } from '../../domain/ledger/ledger-transaction.ts';
import { type Stock, stockTag } from '../../domain/ledger/stock.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import {
  type LinePage,
  type LineQuery,
  type NamedLine,
  type NewCount,
  type NewStocktake,
  type RecordedCount,
  type Stocktake,
  type StocktakeLine,
  type StocktakeStore,
  type StocktakeTotals,
  stateOf,
  type UncountedPage,
  varianceOf,
} from '../../domain/management/stocktakes.ts';
import { timestamp } from '../../domain/timestamps.ts';
import type { Idempotency, SingleResult, WriteRequest, WriteResult } from '../../domain/write-command.ts';
import { decodeOutcome } from '../idempotency/records.ts';
import { recordAction } from '../ledger/activity.ts';
import { readHead } from '../ledger/ledger-bounds.ts';
import { findPet, readPets, readTexts } from '../pets/read-pets.ts';
import {
  type CountedPet,
  forCountedPets,
  readCountedPets,
  revertOrder,
} from '../stocktakes/stocktake-lines.ts';
import { Obstacles } from '../stocktakes/obstacles.ts';
import { COLUMNS, named, type StocktakeRow, toStocktake } from '../stocktakes/stocktake-row.ts';
import { readUncounted } from '../stocktakes/stocktake-scope.ts';
import { underLedgerLock } from '../sql-client.ts';
import type { AdminEngine } from './admin-engine.ts';

/** Pets or movements per write of a close or an undo. */
const CHANGES = 500;
/** Reads of one page, however few of its lines match. */
const READS = 4;

const START = `INSERT INTO stocktakes (id, name, scope, posting, started_by, started_at, started_sequence)
VALUES ($1, $2, $3, $4, $5, $6, $7)`;

const IN_STATE: Readonly<Record<StocktakeState, string>> = {
  running: 'closed_at IS NULL',
  closed: 'closed_at IS NOT NULL AND undone_at IS NULL',
  undone: 'undone_at IS NOT NULL AND posted_sequence IS NOT NULL',
  cancelled: 'undone_at IS NOT NULL AND posted_sequence IS NULL',
};

const CLOSE = `UPDATE stocktakes SET closed_by = $2, closed_at = $3, closed_sequence = $4, posted_sequence = $5 WHERE id = $1`;
const UNDO = 'UPDATE stocktakes SET undone_by = $2, undone_at = $3, undone_sequence = $4 WHERE id = $1';
const CANCEL = `UPDATE stocktakes SET closed_by = $2, closed_at = $3, closed_sequence = $4,
undone_by = $2, undone_at = $3, undone_sequence = $4 WHERE id = $1`;

type Counter = ActionAuthor & { readonly actorName: string };

/** What the writes of a close, an undo or a cancel share. */
interface Writing {
  readonly writer: WriteRequest['author'];
  readonly obstacles: Obstacles;
}

interface TakingBack {
  readonly action: 'stocktakes.undo' | 'stocktakes.cancel';
  /** Records it in the row of the stock-take. */
  readonly sql: string;
  readonly author: ActionAuthor;
  readonly atMs: number;
}

/** The stock-takes of either engine. */
export class SqlStocktakeStore implements StocktakeStore {
  readonly #engine: AdminEngine;
  readonly #rules: StockRules;

  constructor(engine: AdminEngine, rules: StockRules) {
    this.#engine = engine;
    this.#rules = rules;
  }

  start({ name, scope, posting }: NewStocktake, author: ActionAuthor): Promise<Stocktake> {
    const id = createId('stk');
    return underLedgerLock(this.#engine, async (atMs) => {
      const sequence = await readHead(this.#engine);
      const values = [id, name, JSON.stringify(scope), posting, author.actor, atMs, sequence];
      await this.#engine.run(START, values);
      const details = { name, scope, posting };
      await recordAction(this.#engine, author, { action: 'stocktakes.start', target: id, details }, atMs);
      return this.find(id);
    });
  }

  async list({
    limit,
    before,
    state,
  }: {
    limit: number;
    before?: string | undefined;
    state?: StocktakeState | undefined;
  }): Promise<readonly Stocktake[]> {
    const earlier =
      before === undefined
        ? []
        : ['(started_at, id) < (SELECT last.started_at, last.id FROM stocktakes AS last WHERE last.id = $2)'];
    const conditions = [...earlier, ...(state === undefined ? [] : [IN_STATE[state]])];
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const sql = `SELECT ${COLUMNS} FROM stocktakes ${where} ORDER BY started_at DESC, id DESC LIMIT $1`;
    const values = before === undefined ? [limit] : [limit, before];
    return (await this.#engine.all<StocktakeRow>(sql, values)).map(toStocktake);
  }

  async find(id: string): Promise<Stocktake> {
    const sql = `SELECT ${COLUMNS} FROM stocktakes WHERE id = $1`;
    const [row] = await this.#engine.all<StocktakeRow>(sql, [id]);
    if (row) return toStocktake(row);
    throw new OperatorError(`There is no stock-take ${shownValue(id)}.`, { code: 'not_found' });
  }

  count(
    id: string,
    { petId, counted, note, occurredAtMs, ...conditions }: NewCount,
    author: Counter,
    idempotency?: Idempotency,
  ): Promise<RecordedCount> {
    return underLedgerLock(this.#engine, async (atMs) => {
      const stocktake = await this.find(id);
      const before = await findPet(this.#engine, petId);
      if (!before) throw unknownPet(petId);
      const most = Math.max(this.#rules.maxQuantity, before.quantity);
      if (counted > most) throw validationFailed(`counted: must be at most ${most}, the largest quantity.`);
      const waits = stocktake.posting === 'at_close';
      const quantity = waits ? before.quantity : counted;
      const explanation = { ...explained(id), note, occurredAtMs };
      const change = { kind: 'set', petId, quantity, explanation, ...conditions } as const;
      const details = { petId, counted };
      const outcome = await this.#execute({
        command: { kind: 'change', change },
        author: { ...author, atMs },
        activity: { action: 'stocktakes.count', target: id, details },
        idempotency,
      });
      const result = outcome.result as SingleResult;
      const isReplayed = outcome.kind === 'replayed';
      if (!isReplayed) requireRunning(stocktake);
      const stock = result.stock as Stock;
      if (result.code !== 'done') throw refusedCount(petId, result.code, stock);
      const sequence = stock.lastSequence;
      if (waits && !isReplayed) {
        await this.#engine.run('INSERT INTO stocktake_counts VALUES ($1, $2)', [sequence, counted]);
      }
      return { petId, counted, sequence, quantity: stock.quantity, tag: stockTag(stock), isReplayed };
    });
  }

  lines(id: string, { after, limit, differs }: LineQuery): Promise<LinePage> {
    return this.#engine.snapshot(async () => {
      const stocktake = await this.find(id);
      const lines: StocktakeLine[] = [];
      let next = after;
      for (let reads = 0; reads < READS; reads += 1) {
        const read = await readCountedPets(this.#engine, stocktake, { after: next });
        for (const { line } of read.pets) {
          if (!line || (differs !== undefined && (varianceOf(line) !== 0) !== differs)) continue;
          // A line above the limit shows that there are more.
          if (lines.length === limit) return this.#linePage(lines, lines.at(-1)?.petId);
          lines.push(line);
        }
        next = read.next;
        if (next === undefined) return this.#linePage(lines, undefined);
      }
      return this.#linePage(lines, next);
    });
  }

  uncounted(id: string, { after, limit }: Omit<LineQuery, 'differs'>): Promise<UncountedPage> {
    return this.#engine.snapshot(async () => {
      const stocktake = await this.find(id);
      let next = after;
      for (let reads = 0; reads < READS; reads += 1) {
        const read = await readUncounted(this.#engine, stocktake, next);
        const pets = read.pets.slice(0, limit);
        const last = pets.at(-1);
        if (last && read.pets.length > limit) return { pets, next: last.petId };
        next = read.next;
        if (pets.length > 0 || next === undefined) return next === undefined ? { pets } : { pets, next };
      }
      return next === undefined ? { pets: [] } : { pets: [], next };
    });
  }

  totals(id: string): Promise<StocktakeTotals> {
    return this.#engine.snapshot(async () => {
      const stocktake = await this.find(id);
      const sequence = await readHead(this.#engine);
      let [counted, differences, surplus, shortage, unposted, uncounted] = [0, 0, 0, 0, 0, 0];
      await forCountedPets(this.#engine, stocktake, (pets) => {
        for (const { line } of pets) {
          if (!line) continue;
          const variance = varianceOf(line);
          counted += 1;
          if (variance !== 0) differences += 1;
          if (line.unposted !== 0) unposted += 1;
          surplus += Math.max(variance, 0);
          shortage += Math.max(-variance, 0);
        }
      });
      let after: bigint | undefined;
      do {
        const read = await readUncounted(this.#engine, stocktake, after);
        uncounted += read.pets.length;
        after = read.next;
      } while (after !== undefined);
      const units = { surplus: exact(surplus), shortage: exact(shortage) };
      return { sequence, counted, uncounted, differences, ...units, unposted };
    });
  }

  close(id: string, author: ActionAuthor): Promise<Stocktake> {
    return underLedgerLock(this.#engine, async (atMs) => {
      const stocktake = await this.find(id);
      if (stateOf(stocktake) === 'cancelled') throw over(stocktake);
      if (stocktake.closedAtMs !== null) return stocktake;
      const closedSequence = await readHead(this.#engine);
      const writer = { ...author, actorName: author.actor, atMs };
      const counted = { ...stocktake, closedAtMs: atMs, closedSequence, postedSequence: closedSequence };
      const obstacles = new Obstacles(this.#rules.maxQuantity);
      let posted = 0;
      await forCountedPets(this.#engine, counted, async (pets) => {
        const lines = pets.flatMap(({ line }) => line ?? []);
        const open = lines.filter((line) => line.unposted !== 0);
        for (let i = 0; i < open.length; i += CHANGES) {
          await this.#post(id, open.slice(i, i + CHANGES), { writer, obstacles });
        }
        posted += open.length;
      });
      obstacles.refuse('closed');
      const postedSequence = await readHead(this.#engine);
      await this.#engine.run(CLOSE, [id, author.actor, atMs, closedSequence, postedSequence]);
      const action = { action: 'stocktakes.close', target: id, details: { posted } } as const;
      await recordAction(this.#engine, author, action, atMs);
      return this.find(id);
    });
  }

  undo(id: string, author: ActionAuthor): Promise<Stocktake> {
    return underLedgerLock(this.#engine, async (atMs) => {
      const stocktake = await this.find(id);
      const state = stateOf(stocktake);
      if (state === 'undone') return stocktake;
      if (state === 'running') throw new OperatorError(`${named(stocktake)} is running; close or cancel it.`);
      if (state === 'cancelled') throw over(stocktake);
      if (stocktake.prunedAtMs !== null) {
        throw new OperatorError(
          `${named(stocktake)} cannot be undone: a prune deleted its movements at ${timestamp(stocktake.prunedAtMs)}.`,
        );
      }
      return this.#takeBack(stocktake, { action: 'stocktakes.undo', sql: UNDO, author, atMs });
    });
  }

  cancel(id: string, author: ActionAuthor): Promise<Stocktake> {
    return underLedgerLock(this.#engine, async (atMs) => {
      const stocktake = await this.find(id);
      const state = stateOf(stocktake);
      if (state === 'cancelled') return stocktake;
      if (state !== 'running') throw over(stocktake);
      return this.#takeBack(stocktake, { action: 'stocktakes.cancel', sql: CANCEL, author, atMs });
    });
  }

  /** Reverts all that a stock-take changes in the stock, and records that as an undo or a cancel. */
  async #takeBack(stocktake: Stocktake, { action, sql, author, atMs }: TakingBack): Promise<Stocktake> {
    const { id } = stocktake;
    const writer = { ...author, actorName: author.actor, atMs };
    const obstacles = new Obstacles(this.#rules.maxQuantity);
    const head = await readHead(this.#engine);
    let movements = 0;
    await forCountedPets(this.#engine, stocktake, async (pets) => {
      for (let i = 0; i < pets.length; i += CHANGES) {
        movements += await this.#revert(id, pets.slice(i, i + CHANGES), { writer, obstacles });
      }
    });
    obstacles.refuse(action === 'stocktakes.undo' ? 'undone' : 'cancelled');
    await this.#engine.run(sql, [id, author.actor, atMs, head]);
    await recordAction(this.#engine, author, { action, target: id, details: { movements } }, atMs);
    return this.find(id);
  }

  /** Posts the differences of some pets that are not posted yet. */
  async #post(id: string, lines: readonly StocktakeLine[], { writer, obstacles }: Writing): Promise<void> {
    const changes = lines.map((line) => ({
      kind: 'adjust' as const,
      petId: line.petId,
      delta: line.unposted,
      takesReserved: true,
      explanation: explained(id),
    }));
    const command = { kind: 'batch', changes, errorPolicy: 'reject_everything', isDryRun: false } as const;
    const { result } = await this.#execute({ command, author: writer });
    if (result.kind !== 'batch' || result.code === 'done') return;
    for (const [i, { petId, code, before }] of result.rows.entries()) {
      if (code !== 'done') obstacles.add(petId, before?.quantity ?? 0, [changes[i]?.delta ?? 0]);
    }
  }

  /** Returns the number of movements. Only the result has the limits of a quantity, not each revert before it. */
  async #revert(id: string, pets: readonly CountedPet[], { writer, obstacles }: Writing): Promise<number> {
    const changed = pets.filter(({ effective }) => effective.length > 0);
    if (changed.length === 0) return 0;
    const found = await readPets(
      this.#engine,
      changed.map(({ petId }) => petId),
    );
    const quantityOf = (petId: bigint) => found.get(petId)?.quantity ?? 0;
    const reverts = changed.flatMap(({ petId, effective }) => revertOrder(quantityOf(petId), effective));
    const explanation = { ...explained(id), reason: 'correction' as const };
    const requests = reverts.map(({ sequence }) => ({
      command: { kind: 'revert' as const, sequence, explanation, takesReserved: true },
      author: writer,
    }));
    const rules = { ...this.#rules, maxQuantity: MAX_QUANTITY };
    const outcomes = await this.#engine.writeWithin(requests, rules);
    const results = outcomes.map((outcome) => written(outcome).result as SingleResult);
    let next = 0;
    for (const { petId, effective } of changed) {
      const own = results.slice(next, next + effective.length);
      next += effective.length;
      const quantity = quantityOf(petId);
      const most = Math.max(this.#rules.maxQuantity, quantity);
      const isDone = own.every(({ code }) => code === 'done');
      if (isDone && (own.at(-1)?.stock?.quantity ?? 0) <= most) continue;
      const returned = effective.map(({ delta }) => -delta);
      obstacles.add(petId, quantity, returned);
    }
    return reverts.length;
  }

  async #execute(request: WriteRequest): Promise<{ readonly kind: string; readonly result: WriteResult }> {
    const [outcome] = await this.#engine.writeWithin([request], this.#rules);
    if (!outcome) throw new Error('A write has no outcome.');
    return written(outcome);
  }

  async #linePage(lines: readonly StocktakeLine[], next: bigint | undefined): Promise<LinePage> {
    const texts = await readTexts(
      this.#engine,
      lines.map(({ petId }) => petId),
    );
    const page = lines.map((line): NamedLine => {
      const { name = null, category = null } = texts.get(line.petId) ?? {};
      return { ...line, name, category };
    });
    return next === undefined ? { lines: page } : { lines: page, next };
  }
}

/** The explanation of each movement of a stock-take. */
function explained(id: string): Explanation {
  return {
    reason: 'cycle_count',
    note: null,
    referenceDocumentUri: null,
    referenceId: id,
    occurredAtMs: null,
  };
}

function written(outcome: Parameters<typeof decodeOutcome>[0]) {
  const decoded = decodeOutcome(outcome);
  if (decoded.kind !== 'key_reused') return decoded;
  throw new OperatorError(
    'This Idempotency-Key was used for another request within the last 24 hours. Use a new key.',
    { code: 'idempotency_key_reused' },
  );
}

function requireRunning(stocktake: Stocktake): void {
  if (stocktake.closedAtMs !== null) throw over(stocktake);
}

/** The refusal of what a stock-take that is over does not allow. */
function over(stocktake: Stocktake): OperatorError {
  const endedAtMs = stocktake.undoneAtMs ?? stocktake.closedAtMs ?? stocktake.startedAtMs;
  return new OperatorError(`${named(stocktake)} was ${stateOf(stocktake)} at ${timestamp(endedAtMs)}.`);
}

function refusedCount(petId: bigint, code: SingleResult['code'], stock: Stock): OperatorError {
  if (code !== 'precondition_failed') throw new Error(`A count was refused with ${code}.`);
  const message = `If-Match or If-None-Match does not hold: the tag of pet ${petId} is now "${stockTag(stock)}". Nothing was counted.`;
  return new OperatorError(message, { code });
}

/** A sum that every JSON reader holds exactly. */
function exact(units: number): number {
  return Math.min(units, Number.MAX_SAFE_INTEGER);
}
