import { parseDurationSeconds, parseTimeMs } from '@petstore-inventory/shared/terminal/arguments';
import { readableTime } from '@petstore-inventory/shared/terminal/texts';
import { InvalidArgumentError } from 'commander';
import { MAX_OVERLAP_SECONDS } from '../domain/actions/keys.ts';
import { OperatorError } from '../domain/errors.ts';
import { timestamp, timestampOrNull } from '../domain/timestamps.ts';

const EXPIRY_FORM = 'Give a UTC time such as 2027-12-31T23:59:59Z, or a duration such as 90d.';
/** The last moment that an ISO time of four digits a year can name. */
const LATEST_MS = Date.parse('9999-12-31T23:59:59Z');

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

/** Parses how long a rotated key still works, in seconds or as a duration, up to 7 days. */
export function parseOverlapSeconds(text: string): number {
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : parseDurationSeconds(text);
  if (seconds === undefined || seconds > MAX_OVERLAP_SECONDS) {
    throw new InvalidArgumentError('Give seconds or a duration such as 12h, from 0 to 7d.');
  }
  return seconds;
}

/** A moment for people, to the minute. */
export function shownTime(atMs: number | null): string {
  return readableTime(timestampOrNull(atMs));
}
