import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import type { AlertLevel, PetStatus } from '@petstore-inventory/shared/words';
import type { Explanation, Movement } from './ledger.ts';

/** The stock of a pet after its newest movement, with its own thresholds. */
export interface Stock extends Thresholds {
  /** Units on hand. */
  readonly quantity: number;
  /** Units promised to open orders. */
  readonly reserved: number;
  readonly status: PetStatus;
  /** The number of the pet's movements. */
  readonly version: number;
  /** The pet's newest movement. */
  readonly lastSequence: number;
  readonly updatedAtMs: number;
  readonly alertLevel: AlertLevel | null;
}

/** Which pets a list has, by the stock they had. */
export interface StockFilter {
  readonly status?: PetStatus;
  readonly quantityLte?: number;
  readonly quantityGte?: number;
  /** Pets with at most so many available units; may be negative. */
  readonly availableLte?: number;
  /** Pets with one of these levels. */
  readonly alertLevels?: readonly AlertLevel[];
  /** Pets whose stock was changed at this moment or later. */
  readonly updatedSinceMs?: number;
  /** Ascending, each one once. */
  readonly petIds?: readonly bigint[];
}

/** Units without an order; negative after a recount that found fewer than are reserved. */
export function availableOf({ quantity, reserved }: Pick<Stock, 'quantity' | 'reserved'>): number {
  return quantity - reserved;
}

/**
 * Names one state of a pet's stock: the text between the quotes of its entity tag (RFC 9110 section 8.8.3). The time
 * distinguishes it from a state with the same numbers after a backup was restored.
 */
export function stockTag({ version, lastSequence, updatedAtMs }: Stock): string {
  return `${version}-${lastSequence}-${updatedAtMs.toString(36)}`;
}

/**
 * The entity tag of a pet's item (RFC 9110 section 8.8.3). A strong tag changes with the bytes, so that of an item with
 * `daysOfStock` also names that number.
 */
export function itemTag(stock: Stock, days: number | null = null): string {
  const computed = days === null ? '' : `.${Math.round(days * 10).toString(36)}`;
  return `"${stockTag(stock)}${computed}"`;
}

/** The movement after which a tag was current, so that a response can have what came since. */
export function sequenceOfTag(tag: string): number | undefined {
  const [, sequence] = /^\d{1,16}-(\d{1,16})-[0-9a-z]{1,16}$/.exec(stateOf(tag)) ?? [];
  return sequence === undefined ? undefined : Number(sequence);
}

/** Conditions on the stock inside the write; if one fails, nothing is written. */
export interface Preconditions {
  /** Tags of which one must be the pet's; `*`: any. Another one is `precondition_failed` (RFC 9110 section 13.1.1). */
  readonly ifMatch?: readonly string[] | '*' | undefined;
  /** Tags of which none may be the pet's; `*`: a pet that exists is `precondition_failed` (RFC 9110 section 13.1.2). */
  readonly ifNoneMatch?: readonly string[] | '*' | undefined;
  /** The quantity that the caller expects; another one is a `conflict`. */
  readonly changeFromQuantity?: number | undefined;
}

/**
 * The first header whose condition the stock does not meet, in the order of RFC 9110 section 13.2.2; `undefined` if
 * it meets all.
 */
export function unmetHeader(conditions: Preconditions, stock: Stock): UnmetHeader {
  if (!conditions.ifMatch && !conditions.ifNoneMatch) return undefined;
  return unmetTag(conditions, stockTag(stock), stateOf);
}

type UnmetHeader = 'If-Match' | 'If-None-Match' | undefined;

/**
 * The precondition that a state with this tag does not meet.
 * @param stateIn The tag of the state in a tag that a client sent; by default the whole of it.
 */
export function unmetTag(
  { ifMatch, ifNoneMatch }: Pick<Preconditions, 'ifMatch' | 'ifNoneMatch'>,
  tag: string,
  stateIn = (sent: string) => sent,
): UnmetHeader {
  const isOne = (tags: readonly string[] | '*') => tags === '*' || tags.some((one) => stateIn(one) === tag);
  if (ifMatch && !isOne(ifMatch)) return 'If-Match';
  return ifNoneMatch && isOne(ifNoneMatch) ? 'If-None-Match' : undefined;
}

/** The tag of the state in the tag of an item, which also names what is computed from it. */
function stateOf(tag: string): string {
  const end = tag.indexOf('.');
  return end < 0 ? tag : tag.slice(0, end);
}

/** A pet's own thresholds stay; its level is decided again, because those of the shop have changed. */
type KeptThresholds = { readonly [Name in keyof Thresholds]?: undefined };

/** A requested change of the stock of one pet. */
export type Change = Preconditions & {
  readonly petId: bigint;
  readonly explanation?: Explanation | undefined;
} & (
    | { readonly kind: 'set'; readonly quantity: number }
    | {
        readonly kind: 'adjust';
        readonly delta: number;
        /** Whether it may take units that are reserved. */
        readonly takesReserved?: boolean | undefined;
      }
    | { readonly kind: 'status'; readonly status: PetStatus }
    | ({
        readonly kind: 'thresholds';
      } & (Thresholds | KeptThresholds))
  );

/** Why the stock of a pet does not allow a change. `stock_reserved`: it would take units of open orders. */
export type StockRefusal =
  | 'precondition_failed'
  | 'conflict'
  | 'insufficient_stock'
  | 'stock_reserved'
  | 'too_much_stock'
  | 'nothing_to_revert';

export type ChangeOutcome =
  | {
      readonly code: 'done';
      readonly before: Stock;
      readonly stock: Stock;
      /** None where the stock is already as requested. */
      readonly movement: Movement | undefined;
    }
  | { readonly code: StockRefusal; readonly stock: Stock }
  | { readonly code: 'not_found' };
