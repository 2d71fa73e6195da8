import { ApiError } from '../../domain/errors.ts';
import type { StockFilter } from '../../domain/ledger/stock.ts';
import type { Ledger, StockPage } from '../../domain/ledger-store.ts';
import { nextStep } from '../../process/turn.ts';

/** Items per read of the ledger; it may return fewer. */
const READ_ITEMS = 1_000;
/** After so many reads, some ten thousand pets, a page ends and a stream sends something, however few pets match. */
export const MAX_READS = 80;

interface Selection {
  readonly filter: StockFilter;
  readonly after: bigint | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Where `take` ends. */
interface Limits {
  readonly items?: number;
  /** The reading ends as soon as it has so many characters. */
  readonly characters?: number;
  /** Readings of the ledger at most. */
  readonly reads?: number;
}

/** Reads a list in several reads of the ledger. Other requests run between two of them. */
export class StockReader {
  readonly #ledger: Ledger;
  readonly #sequence: number;
  readonly #filter: StockFilter;
  readonly #signal: AbortSignal;
  #isFirst = true;
  /** The last pet that was read; `undefined` at the end. */
  nextAfter: bigint | undefined;

  constructor(ledger: Ledger, sequence: number, { filter, after, signal }: Selection) {
    this.#ledger = ledger;
    this.#sequence = sequence;
    this.#filter = filter;
    this.#signal = signal;
    this.nextAfter = after;
  }

  /** The JSON of the next items, each with a comma before it. */
  async take({ items = Infinity, characters = Infinity, reads = Infinity }: Limits): Promise<string> {
    let json = '';
    let [left, readsLeft] = [items, reads];
    do {
      const page = await this.#next(Math.min(left, READ_ITEMS));
      json += page.json;
      left -= page.itemCount;
      readsLeft -= 1;
    } while (this.nextAfter !== undefined && left > 0 && readsLeft > 0 && json.length < characters);
    return json;
  }

  async #next(limit: number): Promise<StockPage> {
    // The first page is read with the start of the request, which has a time of its own.
    if (!this.#isFirst) await nextStep();
    this.#isFirst = false;
    if (this.#signal.aborted) throw new ApiError('request_timeout', 'The client disconnected.');
    const query = { sequence: this.#sequence, filter: this.#filter, after: this.nextAfter, limit };
    const read = await this.#ledger.stockPage(query);
    this.nextAfter = read.nextAfter;
    return read;
  }
}

/**
 * Reads when the client has room for them. On a read error, aborts the stream: a list is never truncated silently.
 * When no pet matches for long, sends a space (RFC 8259 section 2), because only writing shows whether a client that has
 * closed its side still reads.
 */
export function streamOf(first: string, stock: StockReader): ReadableStream<Uint8Array> {
  let hasBegun = false;
  let hasItems = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const json = hasBegun ? await stock.take({ characters: 1, reads: MAX_READS }) : first;
        const items = hasItems ? json : json.slice(1);
        const piece = hasBegun ? items : `[${items}`;
        hasBegun = true;
        hasItems ||= json !== '';
        const isLast = stock.nextAfter === undefined;
        controller.enqueue(Buffer.from(isLast ? `${piece}]` : piece || ' ', 'latin1'));
        if (isLast) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
