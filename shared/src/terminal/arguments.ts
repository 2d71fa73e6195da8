import { InvalidArgumentError } from 'commander';
import { parsePetId } from '../pet-id.ts';
import { parseTimestamp } from '../timestamp.ts';

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const DURATION = /^(\d{1,9})([smhd])$/;
/** A date, or a date and time with offset, whose seconds may be left out. */
const TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/** Reads a petId exactly. */
export function parsePetIdArgument(text: string): bigint {
  const petId = parsePetId(text);
  if (petId === undefined) throw new InvalidArgumentError('Give a whole number of 64 bits, such as 42.');
  return petId;
}

/** Reads petIds with commas between them, and adds them to those of an earlier option. */
export function parsePetIds(text: string, earlier: readonly bigint[] = []): readonly bigint[] {
  return [...earlier, ...text.split(',').map(parsePetIdArgument)];
}

/** Reads a whole number, 0 or more, which a JavaScript number holds exactly. */
export function parseUnits(text: string): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError('Give a whole number, 0 or more.');
}

/** Reads a number of units that are sold or ordered. */
export function parseSomeUnits(text: string): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('Give 1 unit or more.');
}

/** Reads a whole number that may be below 0. Never returns -0. */
export function parseDelta(text: string): number {
  const number = /^[-+]?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number + 0;
  throw new InvalidArgumentError('Give a whole number such as 5 or -1.');
}

/** Reads the number of an order, or of a movement. */
export function parseNumber(text: string): number {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError('Give a number of 1 or more, as the lists show it.');
}

/** Reads a duration such as `30s`, `15m`, `12h` or `90d` in seconds; `undefined` for anything else. */
export function parseDurationSeconds(text: string): number | undefined {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  return unit === undefined ? undefined : Number(amount) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
}

/** A duration as `parseDurationSeconds` reads it, in its largest unit. */
export function shownDuration(seconds: number): string {
  const units = Object.entries(UNIT_SECONDS).toReversed();
  const [unit, length] = units.find(([, each]) => seconds % each === 0) ?? ['s', 1];
  return `${seconds / length}${unit}`;
}

/** Reads an ISO 8601 time with its zone, or a date (midnight UTC), in Unix milliseconds; `undefined` for anything else. */
export function parseTimeMs(text: string): number | undefined {
  const [, date, minutes = '00:00', seconds = ':00', offset = 'Z'] = TIME.exec(text) ?? [];
  return date === undefined ? undefined : parseTimestamp(`${date}T${minutes}${seconds}${offset}`);
}
