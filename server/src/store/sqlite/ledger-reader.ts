import type { DatabaseSync, StatementSync } from 'node:sqlite';
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
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { Audits } from '../audit/audit-scheduler.ts';
import { unreadable } from '../errors.ts';
import {
  MAX_STEPS_BACK,
  type PageRow,
  type Parameter,
  pageStatement,
  toPage,
} from '../history/movement-page.ts';
import { type MovementRow, toMovement } from '../history/movement-row.ts';
import { HISTORY } from '../history/movement-sql.ts';
import { type SliceRow, sliceStatement, toSlice } from '../history/snapshot-slice.ts';
import { stockQueries } from '../history/snapshot-sql.ts';
import {
  areOf,
  type ChangesRow,
  isWorthAdding,
  type KnownTotals,
  laterTotals,
} from '../history/stock-totals.ts';
import { readPrunesAfter } from '../ledger/prune-rows.ts';
import { SqliteAuditSource } from './audit-source.ts';
import { numbered, prepare } from './statements.ts';
import { readWholeTotals } from './stock-totals.ts';

const STATEMENTS = {
  ...HISTORY,
  ...stockQueries('pet_id IN (SELECT CAST(value AS INTEGER) FROM json_each($1))'),
} as const;
type Name = keyof typeof STATEMENTS;

/**
 * Reads the ledger of a file, and sees every commit. Everything except an audit and the first totals returns
 * immediately.
 */
export class LedgerReader implements Ledger {
  readonly #statements: Record<Name, StatementSync>;
  readonly #audits: Audits;
  readonly #requireSound: () => void;
  readonly #onFailure: (cause: unknown) => never;
  readonly #file: string;
  readonly #source: SqliteAuditSource;
  #totals: KnownTotals | undefined;
  /** A reading of all stock in progress. */
  #reading: Promise<StockTotals> | undefined;

  /**
   * @param database A connection without a transaction of another caller during a call.
   * @param requireSound Called before each read; throws while the database must not be read.
   * @param onFailure Called when a read fails; throws what callers expect.
   */
  constructor(
    database: DatabaseSync,
    requireSound: () => void = () => undefined,
    onFailure: (cause: unknown) => never = unreadable,
  ) {
    this.#file = database.location() as string;
    this.#statements = prepare<Name>(database, STATEMENTS);
    this.#requireSound = requireSound;
    this.#onFailure = onFailure;
    this.#source = new SqliteAuditSource(database);
    this.#audits = new Audits(this.#source);
  }

  head(): LedgerHead {
    return this.#one<LedgerHead>('ledgerHead');
  }

  retentionStart(): LedgerHead {
    return this.#one<LedgerHead>('ledgerStart');
  }

  async prunesAfter(sequence: number): Promise<readonly Prune[]> {
    this.#requireSound();
    return readPrunesAfter(this.#source, sequence).catch(this.#onFailure);
  }

  findMovement(sequence: number): Movement | undefined {
    const [row] = this.#all<MovementRow>('movement', [sequence]);
    return row && toMovement(row);
  }

  listMovements(query: MovementQuery): MovementPage {
    const { name, values } = pageStatement(query);
    return toPage(this.#all<PageRow>(name, values), query.limit);
  }

  lastSequenceWith(petId: bigint, quantity: number, sequence: number): number | undefined {
    const values = [String(petId), sequence, quantity, MAX_STEPS_BACK];
    return this.#all<{ sequence: number }>('sequenceWith', values)[0]?.sequence;
  }

  sequenceAt(atMs: number): number {
    return this.#one<{ sequence: number }>('sequenceAt', [Math.floor(atMs)]).sequence;
  }

  stockSlice(query: StockQuery): StockSlice {
    const question = sliceStatement(query);
    if (!('name' in question)) return question;
    const whose = question.name === 'stockSlice' ? question.first : JSON.stringify(question.petIds);
    return toSlice(this.#one<SliceRow>(question.name, [whose, ...question.values]), question, query);
  }

  stockTotals(): MaybePromise<StockTotals> {
    // A reading that began before this call may show an older moment; after it little is left to read.
    if (this.#reading) {
      const again = () => this.stockTotals();
      return this.#reading.then(again, again);
    }
    const head = this.head();
    if (this.#totals && areOf(this.#totals, head)) return this.#totals.totals;
    const changed = this.#changedTotals(head);
    if (changed) return this.#remember(changed);
    this.#reading = readWholeTotals(this.#file)
      .then((known) => this.#remember(known), this.#onFailure)
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  audit(signal?: AbortSignal): Promise<AuditReport> {
    return this.#audits.next(signal);
  }

  /** Waits for a reading in progress. */
  async close(): Promise<void> {
    await this.#reading?.catch(() => undefined);
  }

  #remember(known: KnownTotals): StockTotals {
    this.#totals = known;
    return known.totals;
  }

  #changedTotals(head: LedgerHead): KnownTotals | undefined {
    const known = this.#totals;
    if (!isWorthAdding(known, head)) return undefined;
    const values = [known.head.sequence, head.sequence];
    return laterTotals(known, head, this.#all<ChangesRow>('stockChanges', values));
  }

  #one<Row>(name: Name, values: readonly Parameter[] = []): Row {
    return this.#all<Row>(name, values)[0] as Row;
  }

  #all<Row>(name: Name, values: readonly Parameter[] = []): Row[] {
    this.#requireSound();
    try {
      return this.#statements[name].all(numbered(values)) as unknown as Row[];
    } catch (cause) {
      return this.#onFailure(cause);
    }
  }
}
