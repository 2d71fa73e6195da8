import { InvalidArgumentError } from 'commander';
import { MAX_OVERLAP_SECONDS } from '../domain/actions/keys.ts';
import { OperatorError } from '../domain/errors.ts';
import { parseTimestamp, timestamp } from '../domain/timestamps.ts';

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const DURATION = /^(\d{1,9})([smhd])$/;
/** A date, or a date and time with offset, whose seconds may be left out. */
const TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;
const EXPIRY_FORM = 'Give a UTC time such as 2027-12-31T23:59:59Z, or a duration such as 90d.';
/** The last moment that an ISO time of four digits a year can name. */
const LATEST_MS = Date.parse('9999-12-31T23:59:59Z');

/** Parses a duration such as `30s`, `15m`, `12h` or `90d`; `undefined` for anything else. */
function parseDurationSeconds(text: string): number | undefined {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  return unit === undefined ? undefined : Number(amount) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
}

/** A moment, given the time of the database: the clock of this machine may differ, and decides nothing. */
export type Moment = (nowMs: number) => number;

/** Parses the expiry of a key: an ISO 8601 time with its zone, a date (midnight UTC), or a duration from now. */
export function parseExpiry(text: string): Moment {
  const seconds = parseDurationSeconds(text);
  const givenMs = seconds === undefined ? parseTimeMs(text) : undefined;
  if (seconds === undefined && givenMs === undefined) throw new InvalidArgumentError(EXPIRY_FORM);
  return (nowMs) => {
    const atMs = givenMs ?? nowMs + (seconds as number) * 1_000;
    if (atMs > LATEST_MS) throw new OperatorError(EXPIRY_FORM);
    if (atMs > nowMs) return atMs;
    throw new OperatorError(
      `${timestamp(atMs)} is not in the future: it is ${timestamp(nowMs)} in the database.`,
    );
  };
}

/** Parses a past moment: an ISO 8601 time with its zone, a date (midnight UTC), or a duration before now. */
export function parsePastTime(text: string): Moment {
  const seconds = parseDurationSeconds(text);
  const atMs = parseTimeMs(text);
  if (seconds === undefined && atMs === undefined) {
    throw new InvalidArgumentError(
      'Give a UTC time such as 2026-12-31T23:59:59Z, or a duration such as 90m or 7d.',
    );
  }
  return (nowMs) => {
    if (atMs === undefined) return Math.max(0, nowMs - (seconds ?? 0) * 1_000);
    if (atMs <= nowMs) return atMs;
    throw new OperatorError(
      `${timestamp(atMs)} is in the future: it is ${timestamp(nowMs)} in the database.`,
    );
  };
}

function parseTimeMs(text: string): number | undefined {
  const [, date, minutes = '00:00', seconds = ':00', offset = 'Z'] = TIME.exec(text) ?? [];
  return date === undefined ? undefined : parseTimestamp(`${date}T${minutes}${seconds}${offset}`);
}

/** Parses how long a rotated key still works, in seconds or as a duration, up to 7 days. */
export function parseOverlapSeconds(text: string): number {
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : parseDurationSeconds(text);
  if (seconds === undefined || seconds > MAX_OVERLAP_SECONDS) {
    throw new InvalidArgumentError('Give seconds or a duration such as 12h, from 0 to 7d.');
  }
  return seconds;
}

/** A moment for people, to the minute. */
export function readableTime(atMs: number | null, none = 'never'): string {
  return atMs === null ? none : `${timestamp(atMs).slice(0, 16).replace('T', ' ')} UTC`;
}
