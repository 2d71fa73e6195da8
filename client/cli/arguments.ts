import { InvalidArgumentError } from 'commander';
import { PetstoreError, toPetId } from '../src/index.ts';

const DURATION = /^(\d{1,9})([smhd])$/;
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** A date, or a date and time with offset, whose seconds may be left out. */
const TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;
const MAX_WAIT_SECONDS = 86_400;

/** Parses a petId exactly. */
export function parsePetId(text: string): bigint {
  try {
    return toPetId(text);
  } catch (error) {
    if (!(error instanceof PetstoreError)) throw error;
    throw new InvalidArgumentError('Give a whole number of 64 bits, such as 42.');
  }
}

/** Parses petIds with commas between them, and adds them to those of an earlier option. */
export function parsePetIds(text: string, earlier: readonly bigint[] = []): readonly bigint[] {
  return [...earlier, ...text.split(',').map(parsePetId)];
}

/** Parses a whole number, 0 or more, which a JavaScript number holds exactly. */
export function parseUnits(text: string): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError('Give a whole number, 0 or more.');
}

/** Parses a whole number that may be below 0. */
export function parseDelta(text: string): number {
  const number = /^[-+]?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError('Give a whole number such as 5 or -1.');
}

/** Parses the number of an order, or of a movement. */
export function parseNumber(text: string): number {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError('Give a number of 1 or more, as the lists show it.');
}

/** Parses how many seconds a command waits. */
export function parseWait(text: string): number {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= MAX_WAIT_SECONDS) return seconds;
  throw new InvalidArgumentError(`Give seconds from 0 to ${MAX_WAIT_SECONDS}.`);
}

/** Parses a moment: an ISO 8601 time with its zone, a date (midnight UTC), or a duration such as 90m before now. */
export function parsePast(text: string): Date {
  return parseMoment(text, -1);
}

/** Parses a moment, or a duration such as 2d from now. */
export function parseFuture(text: string): Date {
  return parseMoment(text, 1);
}

function parseMoment(text: string, direction: 1 | -1): Date {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  const durationMs = unit === undefined ? undefined : Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  const [, date, minutes = '00:00', seconds = ':00', offset = 'Z'] = TIME.exec(text) ?? [];
  // A duration of millions of years leaves the range of a Date.
  const at = new Date(
    durationMs === undefined ? `${date}T${minutes}${seconds}${offset}` : Date.now() + direction * durationMs,
  );
  if (isValid(at) && (date === undefined || isDay(date))) return at;
  throw new InvalidArgumentError(
    'Give a UTC time such as 2026-12-31T23:59:59Z, or a duration such as 90m or 7d.',
  );
}

/** Whether a month has the day: a Date makes 30 February a day of March. */
function isDay(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`);
  return isValid(midnight) && midnight.toISOString().startsWith(date);
}

function isValid(date: Date): boolean {
  return Number.isFinite(date.getTime());
}
