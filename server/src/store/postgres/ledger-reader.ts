import type { QueryResultRow } from 'pg';
import type { LedgerHead, Movement } from '../../domain/ledger/ledger.ts';
import type { Prune } from '../../domain/ledger/prunes.ts';
import type {
  AuditReport,
  Ledger,
  MovementPage,
  MovementQuery,
  StockQuery,
  StockSlice,
  StockTotals,
} from '../../domain/ledger-store.ts';
import { Audits } from '../audit/audit-scheduler.ts';
import { unreadable } from '../errors.ts';
import { MAX_STEPS_BACK, type PageRow, pageStatement, reliedOn, toPage } from '../history/movement-page.ts';
import { type MovementRow, toMovement } from '../history/movement-row.ts';
import { HISTORY } from '../history/movement-sql.ts';
import { type SliceRow, sliceStatement, toSlice } from '../history/snapshot-slice.ts';
import { STOCK_TOTALS, stockQueries } from '../history/snapshot-sql.ts';
import {
  areOf,
  type ChangesRow,
  isWorthAdding,
  type KnownTotals,
  laterTotals,
  type TotalsRow,
  wholeTotals,
} from '../history/stock-totals.ts';
import { readPrunesAfter } from '../ledger/prune-rows.ts';
import { connectionAuditSource } from './audit-source.ts';
import { type Connection, named } from './connection.ts';
import { ReadReplica } from './read-replica.ts';
import { READ } from './statements.ts';

const STATEMENTS = named({
  ...HISTORY,
  ...stockQueries('pet_id = ANY (CAST($1 AS bigint[]))'),
  stockTotals: STOCK_TOTALS,
});

/** Reads the ledger. It uses a replica's result only where that certainly misses nothing. */
export class LedgerReader implements Ledger {
  readonly #fresh: Connection;
  readonly #replica: ReadReplica | undefined;
  readonly #audits: Audits;
  #totals: KnownTotals | undefined;
  /** A reading of all stock in progress. */
  #reading: Promise<StockTotals> | undefined;

  /** @param replica A server that may lag behind or be down. */
  constructor({ fresh, replica }: { fresh: Connection; replica?: Connection | undefined }) {
    this.#fresh = fresh;
    this.#audits = new Audits(connectionAuditSource(fresh));
    this.#replica =
      replica &&
      new ReadReplica(replica, async (sequence) => {
        const [row] = await fresh.read<{ hash: string }>(READ.hashAt, [sequence]);
        return row?.hash;
      });
  }

  head(): Promise<LedgerHead> {
    return this.#one<LedgerHead>('ledgerHead');
  }

  retentionStart(): Promise<LedgerHead> {
    return this.#one<LedgerHead>('ledgerStart');
  }

  prunesAfter(sequence: number): Promise<readonly Prune[]> {
    return readPrunesAfter(connectionAuditSource(this.#fresh), sequence).catch(unreadable);
  }

  async findMovement(sequence: number): Promise<Movement | undefined> {
    const [row] = await this.#all<MovementRow>('movement', [sequence]);
    return row && toMovement(row);
  }

  async listMovements(query: MovementQuery): Promise<MovementPage> {
    const { name, values } = pageStatement(query);
    const complete = await this.#replica?.ask(STATEMENTS[name], values, (rows: readonly PageRow[]) => {
      const page = toPage(rows, query.limit);
      const upTo = reliedOn(page, query);
      return upTo <= (rows[0]?.newest ?? 0) ? { answer: page, upTo } : undefined;
    });
    return complete ?? toPage(await this.#all<PageRow>(name, values), query.limit);
  }

  async lastSequenceWith(petId: bigint, quantity: number, sequence: number): Promise<number | undefined> {
    const values = [String(petId), sequence, quantity, MAX_STEPS_BACK];
    return (await this.#all<{ sequence: number }>('sequenceWith', values))[0]?.sequence;
  }

  async sequenceAt(atMs: number): Promise<number> {
    return (await this.#one<{ sequence: number }>('sequenceAt', [Math.floor(atMs)])).sequence;
  }

  async stockSlice(query: StockQuery): Promise<StockSlice> {
    const question = sliceStatement(query);
    if (!('name' in question)) return question;
    const values = [question.name === 'stockSlice' ? question.first : question.petIds, ...question.values];
    const complete = await this.#replica?.ask(
      STATEMENTS[question.name],
      values,
      ([row]: readonly SliceRow[]) =>
        row && row.newest >= query.sequence ? { answer: row, upTo: query.sequence } : undefined,
    );
    return toSlice(complete ?? (await this.#one<SliceRow>(question.name, values)), question, query);
  }

  async stockTotals(): Promise<StockTotals> {
    // It began before this call and may show an older moment, but after it little is left to read.
    await this.#reading?.catch(() => undefined);
    const head = await this.head();
    const known = this.#totals;
    if (known && areOf(known, head)) return known.totals;
    const changed = await this.#changedTotals(known, head);
    if (changed) return this.#remember(changed);
    this.#reading ??= this.#allTotals().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  audit(signal?: AbortSignal): Promise<AuditReport> {
    return this.#audits.next(signal);
  }

  async #changedTotals(known: KnownTotals | undefined, head: LedgerHead): Promise<KnownTotals | undefined> {
    if (!isWorthAdding(known, head)) return undefined;
    const rows = await this.#all<ChangesRow>('stockChanges', [known.head.sequence, head.sequence]);
    return laterTotals(known, head, rows);
  }

  async #allTotals(): Promise<StockTotals> {
    return this.#remember(wholeTotals(await this.#all<TotalsRow>('stockTotals')));
  }

  #remember(known: KnownTotals): StockTotals {
    this.#totals = known;
    return known.totals;
  }

  async #one<Row>(name: keyof typeof STATEMENTS, values: readonly unknown[] = []): Promise<Row> {
    const [row] = await this.#all<Row>(name, values);
    return row as Row;
  }

  #all<Row>(name: keyof typeof STATEMENTS, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#fresh.read<Row & QueryResultRow>(STATEMENTS[name], values).catch(unreadable);
  }
}
