import { parseDurationSeconds, parseTimeMs } from '@petstore-inventory/shared/terminal/arguments';
import { InvalidArgumentError } from 'commander';

const MAX_WAIT_SECONDS = 86_400;

/** Parses how many seconds a command waits. */
export function parseWait(text: string): number {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : parseDurationSeconds(text);
  if (seconds !== undefined && seconds <= MAX_WAIT_SECONDS) return seconds;
  throw new InvalidArgumentError('Give seconds or a duration such as 2m, from 0 to 1d.');
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
  const seconds = parseDurationSeconds(text);
  const atMs = seconds === undefined ? parseTimeMs(text) : Date.now() + direction * seconds * 1_000;
  const at = new Date(atMs ?? Number.NaN);
  // A duration of millions of years leaves the range of a Date.
  if (Number.isFinite(at.getTime())) return at;
  throw new InvalidArgumentError(
    'Give a UTC time such as 2026-12-31T23:59:59Z, or a duration such as 90m or 7d.',
  );
}
