import type { MadeKey } from '../../../../server/src/domain/actions/keys.ts';
import { type Explanation, UNEXPLAINED } from '../../../../server/src/domain/ledger/ledger.ts';
import type { Change } from '../../../../server/src/domain/ledger/stock.ts';
import type { WriteCommand, WriteResult } from '../../../../server/src/domain/write-command.ts';
import type { ClockedShop } from './clocked-admin.ts';

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

interface Entry {
  readonly atMs: number;
  readonly work: () => Promise<unknown>;
}

export type Why = Partial<Explanation>;

/** What happened in the shop: entries in any order, done in the order of their times. */
export class Diary {
  readonly shop: ClockedShop;
  readonly #entries: Entry[] = [];

  constructor(shop: ClockedShop) {
    this.shop = shop;
  }

  at(atMs: number, work: Entry['work']): void {
    this.#entries.push({ atMs, work });
  }

  /** A change of stock. What the stock of that moment does not allow is left out, as at a till. */
  change(atMs: number, { principal }: MadeKey, change: ChangeOf, why: Why): void {
    const explanation = { ...UNEXPLAINED, ...why };
    const command = { kind: 'change', change: { ...change, explanation } as Change } as const;
    this.at(atMs, () => this.write(command, principal.key.id));
  }

  write(command: WriteCommand, actor: string): Promise<WriteResult> {
    return this.shop.admin.write(command, { actor, requestId: null });
  }

  async live(): Promise<void> {
    for (const { atMs, work } of this.#entries.toSorted((a, b) => a.atMs - b.atMs)) {
      this.shop.clock.nowMs = atMs;
      await work();
    }
  }
}

export type ChangeOf =
  | { readonly kind: 'set'; readonly petId: bigint; readonly quantity: number }
  | {
      readonly kind: 'adjust';
      readonly petId: bigint;
      readonly delta: number;
      readonly takesReserved?: boolean;
    };
