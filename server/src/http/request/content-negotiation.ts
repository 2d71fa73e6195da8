import { parseAccept } from 'hono/utils/accept';
import { ApiError } from '../../domain/errors.ts';

/** Events as the WHATWG HTML standard, section 9.2, writes them. */
export const EVENT_STREAM_TYPE = 'text/event-stream';

/** What operations answer with when nothing is wrong; errors are JSON whatever a client accepts. */
export type AnswerType = 'application/json' | typeof EVENT_STREAM_TYPE;

const EMPTY_LIST = /^[\s,]*$/;

/** Clients send few different headers; what was worked out for one is remembered, up to this many. */
const MAX_CACHED_HEADERS = 1_000;

function remembering<T>(workOut: (header: string) => T): (header: string) => T {
  const known = new Map<string, T>();
  return (header) => {
    let answer = known.get(header);
    if (answer === undefined) {
      answer = workOut(header);
      if (known.size < MAX_CACHED_HEADERS) known.set(header, answer);
    }
    return answer;
  };
}

/** The weight of the most specific of these ranges that the header names (RFC 9110 section 12.5). */
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

const admitsJson = remembering((header) => admits(header, 'application/json'));
const admitsEvents = remembering((header) => admits(header, EVENT_STREAM_TYPE));
const admitsGzip = remembering((header) => (weightOf(header, ['gzip', 'x-gzip', '*']) ?? 0) > 0);

function admits(header: string, type: string): boolean {
  const [main] = type.split('/');
  return (weightOf(header, [type, `${main}/*`, '*/*']) ?? 0) > 0;
}

/** @throws ApiError `not_acceptable` when the client refuses the one type that an operation answers with. */
export function requireAccepted(accept: string | null, type: AnswerType): void {
  if (accept === null || accept === '*/*') return;
  // A list of nothing states no preference (RFC 9110 sections 5.6.1 and 12.5.1).
  if (EMPTY_LIST.test(accept)) return;
  if (type === 'application/json' ? admitsJson(accept) : admitsEvents(accept)) return;
  throw new ApiError('not_acceptable', `Answers are ${type}; Accept must allow it.`);
}

export function isGzipAccepted(acceptEncoding: string | null): boolean {
  return acceptEncoding !== null && admitsGzip(acceptEncoding);
}

/** How the content of an answer may be coded. */
export type Coding = 'br' | 'gzip' | 'identity';

/** The codings that a client accepts, the preferred one first. Plain content comes last, and is always accepted. */
export function acceptedCodings(acceptEncoding: string | null): readonly Coding[] {
  return acceptEncoding === null ? ['identity'] : codingsIn(acceptEncoding);
}

const codingsIn = remembering((header): readonly Coding[] => {
  const accepted = parseAccept(header);
  const weights = [
    ['br', weightIn(accepted, ['br', '*']) ?? 0],
    ['gzip', weightIn(accepted, ['gzip', 'x-gzip', '*']) ?? 0],
  ] as const;
  const compressed = weights.filter(([, weight]) => weight > 0).toSorted(([, a], [, b]) => b - a);
  return [...compressed.map(([coding]) => coding), 'identity'];
});

/** Whether the client has what bears this entity tag already: weak comparison, or `*` (RFC 9110 section 13.1.2). */
export function isNoneMatchMet(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  return (ifNoneMatch.match(/"[^"]*"/g) ?? []).some((one) => one === tag);
}
