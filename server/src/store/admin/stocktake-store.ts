import { shownValue } from '@petstore-inventory/shared/shown-value';
import type { StocktakeState } from '@petstore-inventory/shared/words';
import { createId } from '../../domain/access/api-key.ts';
import { OperatorError, validationFailed } from '../../domain/errors.ts';
import { unknownPet } from '../../domain/inventory.ts';
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
import type { Idempotency, SingleResult } from '../../domain/write-command.ts';
import { recordAction } from '../ledger/activity.ts';
import { readHead } from '../ledger/ledger-bounds.ts';
import { findPet, readTexts } from '../pets/read-pets.ts';
import { forCountedPets, readCountedPets } from '../stocktakes/stocktake-lines.ts';
import { COLUMNS, named, type StocktakeRow, toStocktake } from '../stocktakes/stocktake-row.ts';
import { readUncounted } from '../stocktakes/stocktake-scope.ts';
import { underLedgerLock } from '../sql-client.ts';
import type { AdminEngine } from './admin-engine.ts';
import { explanationOf, StocktakeWrites } from './stocktake-writes.ts';

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
  readonly #writes: StocktakeWrites;

  constructor(engine: AdminEngine, rules: StockRules) {
    this.#engine = engine;
    this.#rules = rules;
    this.#writes = new StocktakeWrites(engine, rules);
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
      // Other people wait for the lock: what is sent together is one round trip.
      const [stocktake, before] = await Promise.all([this.find(id), findPet(this.#engine, petId)]);
      if (!before) throw unknownPet(petId);
      const most = Math.max(this.#rules.maxQuantity, before.quantity);
      const waits = stocktake.posting === 'at_close';
      const quantity = waits ? before.quantity : counted;
      const explanation = { ...explanationOf(id), note, occurredAtMs };
      const change = { kind: 'set', petId, quantity, explanation, ...conditions } as const;
      const details = { petId, counted };
      const outcome = await this.#writes.execute({
        command: { kind: 'change', change },
        author: { ...author, atMs },
        activity: { action: 'stocktakes.count', target: id, details },
        idempotency,
      });
      const result = outcome.result as SingleResult;
      const isReplayed = outcome.kind === 'replayed';
      // A request that is repeated was counted, whatever has become of the limit. A refusal undoes the write.
      if (!isReplayed && counted > most)
        throw validationFailed(`counted: must be at most ${most}, the largest quantity.`);
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
      let [counted, differences, unposted, uncounted] = [0, 0, 0, 0];
      // As exact as the report of variances: the differences of many pets are more than a number holds.
      let [surplus, shortage] = [0n, 0n];
      await forCountedPets(this.#engine, stocktake, (pets) => {
        for (const { line } of pets) {
          if (!line) continue;
          const variance = varianceOf(line);
          counted += 1;
          if (variance !== 0) differences += 1;
          if (line.unposted !== 0) unposted += 1;
          if (variance > 0) surplus += BigInt(variance);
          else shortage -= BigInt(variance);
        }
      });
      let after: bigint | undefined;
      do {
        const read = await readUncounted(this.#engine, stocktake, after);
        uncounted += read.pets.length;
        after = read.next;
      } while (after !== undefined);
      return { sequence, counted, uncounted, differences, surplus, shortage, unposted };
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
      const posted = await this.#writes.postAll(counted, writer);
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
    const head = await readHead(this.#engine);
    const ended = action === 'stocktakes.undo' ? 'undone' : 'cancelled';
    const movements = await this.#writes.revertAll(stocktake, writer, ended);
    await this.#engine.run(sql, [id, author.actor, atMs, head]);
    await recordAction(this.#engine, author, { action, target: id, details: { movements } }, atMs);
    return this.find(id);
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
