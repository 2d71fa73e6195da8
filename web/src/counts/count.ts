import type { PetDetails, WaitingDetails } from './details.ts';
import { type StockRow, stateOfTag } from '../stock/stock-row.ts';

/** Somebody else's change of a pet after it was counted. */
export interface Interference {
  /** The quantity now, and the tag of that state. */
  readonly quantity: number;
  readonly tag: string;
  /** Whether it was a count of the same stock-take that left the stock as it is. */
  readonly isCount?: boolean;
  /** What somebody else has set in the details that the person changed too. */
  readonly details?: Partial<PetDetails>;
  readonly who: string | undefined;
  readonly at: string | undefined;
}

type CountState =
  /** Waits to be sent, or for its answer. */
  | 'waiting'
  /** Recorded by the service. */
  | 'sent'
  /** The pet was changed meanwhile: the person decides. */
  | 'conflict'
  /** The person kept the quantity of the service. */
  | 'kept'
  /** The service cannot accept the count. */
  | 'refused'
  /** The count was recorded, and then taken back. */
  | 'undone';

/** An error of the service, which the page describes in the language of the person. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** Method and path, as of `ApiError`. */
  readonly request?: string;
}

/** An edit of a pet without a connection. It is sent as it was typed. */
export interface WaitingEdit {
  /** Why, as the person wrote it. */
  readonly reason?: string;
  readonly note?: string;
  readonly referenceId?: string;
  readonly takeReserved?: true;
  /** The request that may have arrived had the tag, and so has its repetition. */
  readonly isMatched?: true;
  /** The change of an edit that adds; it holds on any quantity. */
  readonly delta?: number;
  /** An edit of these, which leaves the quantity as it is. */
  readonly details?: WaitingDetails;
  /** When it was made; an edit whose request may have arrived is repeated without it. */
  readonly occurredAt?: string;
}

/** A pet that somebody counted, or edited without a connection. The browser keeps it until the count is finished. */
export interface Count {
  /** Sorts by time. */
  readonly id: string;
  /** The idempotency key: the same count sent again is recorded once. */
  readonly key: string;
  readonly petId: string;
  readonly name: string;
  readonly counted: number;
  /** Set for an edit, which is no count of the shelf. */
  readonly edit?: WaitingEdit;
  /** The stock-take that it belongs to. */
  readonly stocktakeId?: string | undefined;
  /** The stock after the count was recorded, if it is not what was counted: a stock-take may post it later. */
  readonly stock?: number;
  /** The quantity that the service had as far as this browser knew, and the tag of that state. */
  readonly expected: number;
  readonly tag: string;
  readonly countedAt: string;
  /** Who counted: the person, by the first management key, and the name of the key. */
  readonly keyId: string;
  readonly by: string;
  readonly state: CountState;
  /** The count was sent at least one time, so that the service may have it. */
  readonly isTried?: boolean;
  /** When it was sent for the first time, by the clock of the browser: the time that passes is right, whatever its day. */
  readonly triedAtMs?: number;
  /** The idempotency key of its undo. */
  readonly undoKey?: string | undefined;
  readonly now?: Interference | undefined;
  /** Why it was refused, or cannot be taken back. */
  readonly problem?: Refusal | undefined;
}

/** Changes to a count after an attempt to send it; `undefined`: it waits for another attempt. */
export type Sent = Partial<Count> | undefined;

const MEMBERS = ['id', 'key', 'petId', 'name', 'expected', 'tag', 'countedAt', 'keyId', 'by', 'state'];

/** Reads a stored count; `undefined` if it is none. */
export function parseCount(text: string): Count | undefined {
  try {
    const value = JSON.parse(text) as Partial<Record<string, unknown>> | null;
    const isCount =
      value !== null &&
      Number.isSafeInteger(value.counted) &&
      MEMBERS.every((name) => value[name] !== undefined);
    return isCount ? (value as unknown as Count) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether nothing is left to do for it. */
export const isSettled = ({ state }: Count): boolean =>
  state === 'sent' || state === 'kept' || state === 'undone';

/** Whether its person has to choose, or to try again. */
export const needsDecision = ({ state }: Count): boolean => state === 'conflict' || state === 'refused';

/** The stock of the pet after the count was recorded. */
export const stockAfter = ({ counted, expected, edit, stock }: Count): number =>
  stock ?? (edit?.details ? expected : counted);

export const difference = ({ counted, expected }: Count): number => counted - expected;

/** What a count needs of a pet as it was seen. */
export type SeenStock = Pick<StockRow, 'petId' | 'quantity' | 'version' | 'lastSequence' | 'updatedAtMs'>;

/** A pet as it was seen, with the counts of this browser that were recorded since. Changes of others are left out. */
export function afterOwnCounts<Row extends SeenStock>(seen: Row, counts: readonly Count[]): Row {
  let row = seen;
  for (;;) {
    const next = counts.find(
      ({ petId, state, tag }) =>
        petId === row.petId &&
        (state === 'sent' || state === 'undone') &&
        stateOfTag(tag)?.version === row.version + 1,
    );
    const state = next && stateOfTag(next.tag);
    if (!state) return row;
    row = { ...row, ...state, quantity: next.state === 'sent' ? stockAfter(next) : next.expected };
  }
}
