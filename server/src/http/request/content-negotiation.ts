import { parseAccept } from 'hono/utils/accept';
import { ApiError } from '../../domain/errors.ts';
import { sentValue } from './sent-value.ts';

/** Server-sent events (WHATWG HTML standard, section 9.2). */
export const EVENT_STREAM_TYPE = 'text/event-stream';

/** One JSON value per line. */
export const JSON_LINES_TYPE = 'application/x-ndjson';

/**
 * Types of successful responses. For any type, the query chooses the format, and `Accept` is disregarded, as RFC 9110 section
 * 12.5.1 allows. Errors are JSON whatever the client accepts.
 */
export type AnswerType = 'application/json' | typeof EVENT_STREAM_TYPE | typeof JSON_LINES_TYPE | '*/*';

const EMPTY_LIST = /^[\s,]*$/;

/** Clients send few different headers. */
const MAX_CACHED_HEADERS = 1_000;

/** Keeps the results for some headers. A client that sends others all the time does not keep those of the others out for good. */
export function cached<T>(compute: (header: string) => T): (header: string) => T {
  const known = new Map<string, T>();
  return (header) => {
    let answer = known.get(header);
    if (answer === undefined) {
      answer = compute(header);
      if (known.size >= MAX_CACHED_HEADERS) known.clear();
      known.set(header, answer);
    }
    return answer;
  };
}

/** The weight of the first of these ranges that the header contains (RFC 9110 section 12.5). */
function weightOf(header: string, ranges: readonly string[]): number | undefined {
  return weightIn(parseAccept(header), ranges);
}

function weightIn(accepted: ReturnType<typeof parseAccept>, ranges: readonly string[]): number | undefined {
  for (const range of ranges) {
    const found = accepted.find(({ type }) => type.toLowerCase() === range);
    if (found) return found.q;
  }
  return undefined;
}

const admitsType = {
  'application/json': cached((header) => admits(header, 'application/json')),
  [EVENT_STREAM_TYPE]: cached((header) => admits(header, EVENT_STREAM_TYPE)),
  [JSON_LINES_TYPE]: cached((header) => admits(header, JSON_LINES_TYPE)),
};

function admits(header: string, type: string): boolean {
  const [main] = type.split('/');
  return (weightOf(header, [type, `${main}/*`, '*/*']) ?? 0) > 0;
}

/** @throws ApiError `not_acceptable` when `Accept` excludes the type of the operation's responses. */
export function requireAccepted(accept: string | null, type: AnswerType): void {
  if (accept === null || accept === '*/*' || type === '*/*') return;
  // An empty list states no preference (RFC 9110 sections 5.6.1 and 12.5.1).
  if (EMPTY_LIST.test(accept)) return;
  if (admitsType[type](accept)) return;
  throw new ApiError('not_acceptable', `Responses are ${type}; Accept must allow it.${sentValue(accept)}`);
}

export function isGzipAccepted(acceptEncoding: string | null): boolean {
  return acceptedCodings(acceptEncoding).includes('gzip');
}

/** Content codings of responses. */
export type Coding = 'br' | 'gzip' | 'identity';

/**
 * The accepted codings, the preferred one first. `identity` is last, and always accepted; a coding with a smaller weight
 * than it has is left out (RFC 9110 section 12.5.3).
 */
export function acceptedCodings(acceptEncoding: string | null): readonly Coding[] {
  return acceptEncoding === null ? ['identity'] : codingsIn(acceptEncoding);
}

const codingsIn = cached((header): readonly Coding[] => {
  const accepted = parseAccept(header);
  const weights = [
    ['br', weightIn(accepted, ['br', '*']) ?? 0],
    ['gzip', weightIn(accepted, ['gzip', 'x-gzip', '*']) ?? 0],
  ] as const;
  const least = weightIn(accepted, ['identity']) ?? 0;
  const compressed = weights
    .filter(([, weight]) => weight > 0 && weight >= least)
    .toSorted(([, a], [, b]) => b - a);
  return [...compressed.map(([coding]) => coding), 'identity'];
});

/** Whether `If-None-Match` contains this entity tag: weak comparison, or `*` (RFC 9110 section 13.1.2). */
export function isNoneMatchMet(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  return (ifNoneMatch.match(/"[^"]*"/g) ?? []).some((one) => one === tag);
}
