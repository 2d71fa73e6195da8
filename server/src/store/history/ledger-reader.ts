import type { LedgerHead, Movement } from '../../domain/ledger/ledger.ts';
import type { Prune } from '../../domain/ledger/prunes.ts';
import type {
  Ledger,
  MovementPage,
  MovementQuery,
  StockPage,
  StockQuery,
  StockTotals,
} from '../../domain/ledger-store.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { Parameter } from '../sql-client.ts';
import { MAX_STEPS_BACK, type PageRow, pageStatement, reliedOn, toPage } from './movement-page.ts';
import { type MovementRow, toMovement } from './movement-row.ts';
import type { HISTORY } from './movement-sql.ts';
import type { stockQueries } from './snapshot-sql.ts';
import { type StockPageRow, stockPageStatement, toStockPage } from './stock-page.ts';
import { areOf, type ChangesRow, isWorthAdding, type KnownTotals, laterTotals } from './stock-totals.ts';

export type LedgerStatementName = keyof typeof HISTORY | keyof ReturnType<typeof stockQueries>;

/** A value of a parameter; petIds are a list. */
type LedgerValue = Parameter | readonly string[];

/** A replica's result. It is correct where the ledger is the same up to this movement. */
export interface ReplicaResult<T> {
  readonly answer: T;
  readonly upTo: number;
}

/** How an engine reads its ledger. Its errors are those that callers expect. */
export interface LedgerSource {
  read<Row>(name: LedgerStatementName, values: readonly LedgerValue[]): MaybePromise<readonly Row[]>;
  /** What `use` makes of the rows of a replica; `undefined` where they are too old or cannot be trusted. */
  readonly readReplica?:
    | (<Row, T>(
        name: LedgerStatementName,
        values: readonly LedgerValue[],
        use: (rows: readonly Row[]) => ReplicaResult<T> | undefined,
      ) => Promise<T | undefined>)
    | undefined;
  /** Sums all stock. */
  readTotals(): Promise<KnownTotals>;
  prunesAfter(sequence: number): Promise<readonly Prune[]>;
}

/** Reads the ledger of either engine. On SQLite, all but prunes and the first totals return immediately. */
export class LedgerReader implements Ledger {
  readonly #source: LedgerSource;
  #totals: KnownTotals | undefined;
  /** A reading of all stock in progress. */
  #reading: Promise<StockTotals> | undefined;

  constructor(source: LedgerSource) {
    this.#source = source;
  }

  head(): MaybePromise<LedgerHead> {
    return this.#one<LedgerHead>('ledgerHead');
  }

  retentionStart(): MaybePromise<LedgerHead> {
    return this.#one<LedgerHead>('ledgerStart');
  }

  prunesAfter(sequence: number): Promise<readonly Prune[]> {
    return this.#source.prunesAfter(sequence);
  }

  findMovement(sequence: number): MaybePromise<Movement | undefined> {
    return andThen(this.#source.read<MovementRow>('movement', [sequence]), ([row]) => row && toMovement(row));
  }

  listMovements(query: MovementQuery): MaybePromise<MovementPage> {
    const { name, values } = pageStatement(query);
    const fresh = () =>
      andThen(this.#source.read<PageRow>(name, values), (rows) => toPage(rows, query.limit));
    const complete = this.#source.readReplica?.(name, values, (rows: readonly PageRow[]) => {
      const page = toPage(rows, query.limit);
      const upTo = reliedOn(page, query);
      return upTo <= (rows[0]?.newest ?? 0) ? { answer: page, upTo } : undefined;
    });
    return complete ? complete.then((page) => page ?? fresh()) : fresh();
  }

  lastSequenceWith(petId: bigint, quantity: number, sequence: number): MaybePromise<number | undefined> {
    const values = [String(petId), sequence, quantity, MAX_STEPS_BACK];
    return andThen(this.#source.read<{ sequence: number }>('sequenceWith', values), ([row]) => row?.sequence);
  }

  sequenceAt(atMs: number): MaybePromise<number> {
    const found = this.#one<{ sequence: number }>('sequenceAt', [Math.floor(atMs)]);
    return andThen(found, ({ sequence }) => sequence);
  }

  stockPage(query: StockQuery): MaybePromise<StockPage> {
    const question = stockPageStatement(query);
    if (!('name' in question)) return question;
    const { name } = question;
    const values = [question.name === 'stockPage' ? question.first : question.petIds, ...question.values];
    const fresh = () =>
      andThen(this.#one<StockPageRow>(name, values), (row) => toStockPage(row, question, query));
    const complete = this.#source.readReplica?.(name, values, ([row]: readonly StockPageRow[]) =>
      row && row.newest >= query.sequence ? { answer: row, upTo: query.sequence } : undefined,
    );
    return complete ? complete.then((row) => (row ? toStockPage(row, question, query) : fresh())) : fresh();
  }

  stockTotals(): MaybePromise<StockTotals> {
    // A reading that began before this call may show an older moment; after it little is left to read.
    if (this.#reading) {
      const again = () => this.stockTotals();
      return this.#reading.then(again, again);
    }
    return andThen(this.head(), (head) => {
      const known = this.#totals;
      if (known && areOf(known, head)) return known.totals;
      return andThen(this.#changedTotals(known, head), (changed) =>
        changed ? this.#remember(changed) : this.#readTotals(),
      );
    });
  }

  /** Waits for a reading in progress. */
  async close(): Promise<void> {
    await this.#reading?.catch(() => undefined);
  }

  #changedTotals(known: KnownTotals | undefined, head: LedgerHead): MaybePromise<KnownTotals | undefined> {
    if (!isWorthAdding(known, head)) return undefined;
    const values = [known.head.sequence, head.sequence];
    return andThen(this.#source.read<ChangesRow>('stockChanges', values), (rows) =>
      laterTotals(known, head, rows),
    );
  }

  #readTotals(): Promise<StockTotals> {
    this.#reading ??= this.#source
      .readTotals()
      .then((known) => this.#remember(known))
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  #remember(known: KnownTotals): StockTotals {
    this.#totals = known;
    return known.totals;
  }

  #one<Row>(name: LedgerStatementName, values: readonly LedgerValue[] = []): MaybePromise<Row> {
    return andThen(this.#source.read<Row>(name, values), ([row]) => row as Row);
  }
}
