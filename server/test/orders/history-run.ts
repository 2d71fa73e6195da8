import type { Author } from '../../src/domain/ledger/ledger.ts';
import type { StockRules } from '../../src/domain/ledger/ledger-transaction.ts';
import type { Stock } from '../../src/domain/ledger/stock.ts';
import type { WriteCommand, WriteResult } from '../../src/domain/write-command.ts';
import { MemoryShop } from './memory-shop.ts';
import { type HistoryStep, resolved } from './random-commands.ts';

/** A command of a history with its author and its result. */
export interface Executed {
  readonly command: WriteCommand;
  readonly author: Author;
  readonly result: WriteResult;
}

export interface RunOptions {
  readonly stock: ReadonlyMap<bigint, Stock>;
  readonly rules: StockRules;
  readonly startMs: number;
  /** The length of a millisecond of the history, in milliseconds. */
  readonly tickMs?: number;
}

/** Runs a history on the domain, on a clock of its own. */
export class HistoryRun {
  readonly shop: MemoryShop;
  nowMs: number;
  readonly #tickMs: number;

  constructor({ stock, rules, startMs, tickMs = 1 }: RunOptions) {
    this.shop = new MemoryShop(stock, rules);
    this.nowMs = startMs;
    this.#tickMs = tickMs;
  }

  get author(): Author {
    return { actor: 'key_1', actorName: 'key_1', requestId: null, atMs: this.nowMs };
  }

  /** The command of a step, if it is one. */
  take(step: HistoryStep): Executed | undefined {
    const { shop, author } = this;
    switch (step.kind) {
      case 'wait':
        this.nowMs += step.ms * this.#tickMs;
        return undefined;
      case 'commit':
        shop.commit();
        return undefined;
      case 'default':
        shop.setDefault(step.thresholds, author);
        return undefined;
      case 'command': {
        const made = { orders: shop.orders.size, movements: shop.sequence, nowMs: this.nowMs };
        const command = resolved(step.relative, made);
        return { command, author, result: shop.run(command, author) };
      }
    }
  }
}
