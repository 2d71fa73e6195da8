import { ApiError } from '../../domain/errors.ts';
import type { Call } from '../call.ts';

/** One entity tag and what separates it from the next one (RFC 9110 sections 5.6.1 and 8.8.3). */
const NEXT_TAG = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)")?[ \t]*(?:,|$)/y;

/**
 * What a write asks of an entity tag: that it is one of these, strong ones without their quotes, weak ones as `W/"..."`,
 * or any.
 */
export type IfMatch = readonly string[] | '*';

/** Reads `If-Match`; `undefined` without it. @throws ApiError `invalid_parameter`. */
export function readIfMatch(call: Call): IfMatch | undefined {
  const header = call.header('if-match');
  if (header === null) return undefined;
  const ifMatch = parseIfMatch(header);
  if (ifMatch !== undefined) return ifMatch;
  throw new ApiError(
    'invalid_parameter',
    'If-Match must be * or a list of entity tags with their quotes, as ETag has them.',
  );
}

/**
 * The tags of a list of entity tags, or `*`; `undefined` for what is neither. Weak tags never match a write (RFC 9110
 * section 13.1.1): they keep their quotes, which no strong one can hold, and only tell what the client has seen.
 */
export function parseIfMatch(text: string): IfMatch | undefined {
  if (text.trim() === '*') return '*';
  const tags: string[] = [];
  NEXT_TAG.lastIndex = 0;
  while (NEXT_TAG.lastIndex < text.length) {
    const match = NEXT_TAG.exec(text);
    if (!match) return undefined;
    const [, weak, tag] = match;
    if (tag === undefined) continue;
    tags.push(weak === undefined ? tag : `W/"${tag}"`);
  }
  return tags.length > 0 ? tags : undefined;
}
