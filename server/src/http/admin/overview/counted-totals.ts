import { type OverviewStore, type PetTotals, PetTotalsSum } from '../../../domain/management/overview.ts';

/** Counting takes at most this part of the time: totals stay for as many times of what counting them took. */
const TIMES_KEPT = 20;
/** Requests wait for a count that took less; for a longer one they get the totals before it. */
const WORTH_WAITING_MS = 250;

export interface CountedTotals extends PetTotals {
  readonly countedAtMs: number;
}

/**
 * The totals of all pets, which are counted for a request and kept for a while: a count of a million pets takes about a
 * second. It is made of parts, so that other calls of the management thread run in between.
 */
export class TotalsCounter {
  readonly #shop: Pick<OverviewStore, 'totalsPage'>;
  readonly #elapsed: () => number;
  #known: { readonly totals: CountedTotals; readonly tookMs: number; readonly atMs: number } | undefined;
  #running: Promise<CountedTotals> | undefined;

  /** @param elapsed Milliseconds of a clock that is never set. */
  constructor(shop: Pick<OverviewStore, 'totalsPage'>, elapsed = () => performance.now()) {
    this.#shop = shop;
    this.#elapsed = elapsed;
  }

  /** @param nowMs The wall-clock time that a new count gets. */
  async read(nowMs: number): Promise<CountedTotals> {
    const known = this.#known;
    if (known && this.#elapsed() - known.atMs < TIMES_KEPT * known.tookMs) return known.totals;
    this.#running ??= this.#count(nowMs).finally(() => {
      this.#running = undefined;
    });
    if (!known || known.tookMs < WORTH_WAITING_MS) return this.#running;
    // The next request meets the error again, and reports it if there are no totals.
    this.#running.catch(() => undefined);
    return known.totals;
  }

  async #count(countedAtMs: number): Promise<CountedTotals> {
    const startMs = this.#elapsed();
    const sum = new PetTotalsSum();
    let after: bigint | undefined;
    do {
      const part = await this.#shop.totalsPage(after);
      sum.add(part);
      after = part.next;
    } while (after !== undefined);
    const totals = { ...sum.totals(), countedAtMs };
    this.#known = { totals, tookMs: this.#elapsed() - startMs, atMs: this.#elapsed() };
    return totals;
  }
}
