import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../../domain/errors.ts';
import type { StockFilter } from '../../domain/ledger/stock.ts';
import type { Ledger, StockPage } from '../../domain/ledger-store.ts';

/** Items per read of the ledger; it may return fewer. */
const SLICE_ITEMS = 1_000;
/** After so many slices, some ten thousand pets, a page ends and a stream sends something, however few pets match. */
export const MAX_SLICES = 80;

interface SlicesOf {
  readonly filter: StockFilter;
  readonly after: bigint | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The maximum of one read. */
interface Portion {
  readonly items?: number;
  /** The read ends as soon as it has so many. */
  readonly characters?: number;
  readonly slices?: number;
}

/** Reads a list slice by slice. Other requests run between two slices. */
export class Slices {
  readonly #ledger: Ledger;
  readonly #sequence: number;
  readonly #filter: StockFilter;
  readonly #signal: AbortSignal;
  #isFirst = true;
  /** The last pet that was read; `undefined` at the end. */
  nextAfter: bigint | undefined;

  constructor(ledger: Ledger, sequence: number, { filter, after, signal }: SlicesOf) {
    this.#ledger = ledger;
    this.#sequence = sequence;
    this.#filter = filter;
    this.#signal = signal;
    this.nextAfter = after;
  }

  /** The JSON of the next items, each with a comma before it. */
  async take({ items = Infinity, characters = Infinity, slices = Infinity }: Portion): Promise<string> {
    let json = '';
    let [left, slicesLeft] = [items, slices];
    do {
      const slice = await this.#next(Math.min(left, SLICE_ITEMS));
      json += slice.json;
      left -= slice.itemCount;
      slicesLeft -= 1;
    } while (this.nextAfter !== undefined && left > 0 && slicesLeft > 0 && json.length < characters);
    return json;
  }

  async #next(limit: number): Promise<StockPage> {
    const query = { sequence: this.#sequence, filter: this.#filter, after: this.nextAfter, limit };
    const slice = this.#ledger.stockPage(query);
    if (!(slice instanceof Promise) && !this.#isFirst) await nextTurn();
    this.#isFirst = false;
    if (this.#signal.aborted) throw new ApiError('request_timeout', 'The client disconnected.');
    const made = await slice;
    this.nextAfter = made.nextAfter;
    return made;
  }
}

/**
 * Reads slices when the client has room for them. On a read error, aborts the stream: a list is never truncated silently.
 * When no pet matches for long, sends a space (RFC 8259 section 2), because only writing shows whether a client that has
 * closed its side still reads.
 */
export function streamOf(first: string, slices: Slices): ReadableStream<Uint8Array> {
  let hasBegun = false;
  let hasItems = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const json = hasBegun ? await slices.take({ characters: 1, slices: MAX_SLICES }) : first;
        const items = hasItems ? json : json.slice(1);
        const piece = hasBegun ? items : `[${items}`;
        hasBegun = true;
        hasItems ||= json !== '';
        const isLast = slices.nextAfter === undefined;
        controller.enqueue(Buffer.from(isLast ? `${piece}]` : piece || ' ', 'latin1'));
        if (isLast) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
