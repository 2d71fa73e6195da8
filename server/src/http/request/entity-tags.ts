import { sentValue } from './sent-value.ts';
import { ApiError } from '../../domain/errors.ts';
import type { RequestContext } from './request-context.ts';

/** One entity tag and its separator (RFC 9110 sections 5.6.1 and 8.8.3). */
const NEXT_TAG = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;
const WEAK_TAG = /^W\/"(.*)"$/;

/** The tags of a precondition: strong tags without their quotes, weak tags as `W/"..."`; or `*`. */
export type EntityTags = readonly string[] | '*';

/** Reads `If-Match` or `If-None-Match`; `undefined` without it. @throws ApiError `invalid_parameter`. */
export function readEntityTags(
  context: RequestContext,
  name: 'If-Match' | 'If-None-Match',
): EntityTags | undefined {
  const header = context.header(name === 'If-Match' ? 'if-match' : 'if-none-match');
  if (header === null) return undefined;
  const tags = parseEntityTags(header);
  if (tags !== undefined) return tags;
  throw new ApiError(
    'invalid_parameter',
    `${name} must be * or a list of entity tags with their quotes, as in ETag.${sentValue(header)}`,
  );
}

/**
 * Parses a list of entity tags, or `*`; `undefined` for other text. Weak tags never match strongly (RFC 9110 section
 * 8.8.3.2): they keep their quotes, which a strong tag cannot contain.
 */
export function parseEntityTags(text: string): EntityTags | undefined {
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

/** A tag without the mark of a weak one, for weak comparison. */
export function weakened(tag: string): string {
  return tag.replace(WEAK_TAG, '$1');
}

/**
 * Refuses both headers of a write to which no single state belongs.
 * @param why The sentence after the name of the header.
 */
export function requireNoPreconditions(context: RequestContext, why: string): void {
  for (const name of ['If-Match', 'If-None-Match']) {
    if (context.header(name.toLowerCase()) === null) continue;
    throw new ApiError('invalid_parameter', `${name} ${why}`);
  }
}

/** Reads both headers of a write. The write itself compares them with the item's tag. */
export function readPreconditions(context: RequestContext): {
  ifMatch: EntityTags | undefined;
  ifNoneMatch: EntityTags | undefined;
} {
  const ifMatch = readEntityTags(context, 'If-Match');
  const unwanted = readEntityTags(context, 'If-None-Match');
  // Weak comparison (RFC 9110 section 13.1.2).
  const ifNoneMatch = unwanted === undefined || unwanted === '*' ? unwanted : unwanted.map(weakened);
  return { ifMatch, ifNoneMatch };
}
