import { HOUR_MS } from '@petstore-inventory/shared/durations';
import { isRecord } from '@petstore-inventory/shared/is-record';
import type { ManagedPet } from '../../api/schemas.ts';
import { readOneOf, readTexts } from '../../drafts/drafts.ts';

/** What the form shows of a pet. */
export type OrderedPet = Pick<ManagedPet, 'petId' | 'name' | 'available'>;

export interface NewLine {
  /** As it was when it was picked. */
  readonly pet: OrderedPet;
  /** As typed. */
  readonly units: string;
}

/** How long the units are held; `undefined` leaves it to the shop. */
export const HOLDS = {
  shop: undefined,
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  never: null,
} as const;
export type Hold = keyof typeof HOLDS;

/** A request that may have arrived. */
export interface Attempt {
  /** The order as it was sent. */
  readonly text: string;
  readonly key: string;
  readonly atMs: number;
}

/** What the form of a new order has. */
interface OrderDraft {
  readonly lines: readonly NewLine[];
  readonly reference: string;
  readonly note: string;
  readonly hold: Hold;
  readonly attempt?: Attempt | undefined;
}

/** Reads an order that the browser has kept; `undefined` if it is none. */
export function readOrderDraft(value: unknown): OrderDraft | undefined {
  const words = readTexts(value, ['reference', 'note']);
  if (!words || !isRecord(value) || !Array.isArray(value.lines)) return undefined;
  const hold = readOneOf(value.hold, Object.keys(HOLDS) as Hold[]);
  const lines = value.lines.map(readLine);
  if (!hold || !lines.every((line) => line !== undefined)) return undefined;
  const attempt = readAttempt(value.attempt);
  return { lines, ...words, hold, ...(attempt && { attempt }) };
}

function readLine(value: unknown): NewLine | undefined {
  if (!isRecord(value) || !isRecord(value.pet) || typeof value.units !== 'string') return undefined;
  const { petId, name, available } = value.pet;
  const isPet =
    typeof petId === 'string' &&
    /^-?\d{1,19}$/.test(petId) &&
    (name === null || typeof name === 'string') &&
    Number.isSafeInteger(available);
  return isPet ? { pet: { petId, name, available: available as number }, units: value.units } : undefined;
}

function readAttempt(value: unknown): Attempt | undefined {
  const texts = readTexts(value, ['text', 'key']);
  const atMs = isRecord(value) ? value.atMs : undefined;
  return texts && typeof atMs === 'number' ? { ...texts, atMs } : undefined;
}
