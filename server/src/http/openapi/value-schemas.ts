import { ENTITY_TAG_PATTERN, REQUEST_ID_PATTERN } from '../schemas/values.ts';

/** Schemas of single values that parameters and headers share. */

/** At most a day, the longest window and the longest ban. */
export const SECONDS = { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 } as const;

export const DATE_TIME = { type: 'string', format: 'date-time' } as const;
export const REQUEST_ID = { type: 'string', pattern: REQUEST_ID_PATTERN } as const;
export const ENTITY_TAG = { type: 'string', pattern: ENTITY_TAG_PATTERN } as const;
/** A header field is at most as long as all headers of a request together. */
export const LINK = { type: 'string', pattern: '^<[^>]+>; rel="', maxLength: 16_384 } as const;
