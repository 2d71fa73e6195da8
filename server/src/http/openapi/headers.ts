import { INTERFACE_DATE } from '../request/interface-date.ts';
import { component, type HeaderObject, type Reference, schemaAt } from './components.ts';
import { ENTITY_TAG, LINK, REQUEST_ID, SECONDS } from './value-schemas.ts';

/** Response headers by their HTTP name. */
export type Headers = Readonly<Record<string, Reference>>;

/** One header component, as a map from its HTTP name. */
export function header<const N extends string>(name: N, componentName: string, definition: HeaderObject) {
  return { [name]: component('headers', componentName, definition) } as Record<N, Reference>;
}

const LIMIT_WINDOW = '"[a-z]+";';

const REMAINING = {
  description: 'Requests that remain in that window.',
  required: true,
  schema: schemaAt('WholeNumber'),
  example: 299,
};

const RATE_LIMIT = {
  description: 'What remains of all windows, and the seconds until each resets.',
  required: true,
  schema: {
    type: 'string',
    pattern: `^${LIMIT_WINDOW}r=[0-9]+;t=[0-9]+(, ${LIMIT_WINDOW}r=[0-9]+;t=[0-9]+)*$`,
  },
  example: '"minute";r=299;t=42, "day";r=9940;t=75582',
};

/** Headers of every response of the interface. */
export const EVERY_RESPONSE: Headers = {
  ...header('X-Request-Id', 'RequestId', {
    description: 'The id of this request in our logs.',
    required: true,
    schema: REQUEST_ID,
    example: 'mxmjw-up-2s',
  }),
  ...header('X-RateLimit-Limit', 'Limit', {
    description: 'Requests that the binding window admits.',
    required: true,
    schema: schemaAt('WholeNumber'),
    example: 300,
  }),
  ...header('X-RateLimit-Remaining', 'Remaining', REMAINING),
  ...header('X-RateLimit-Reset', 'Reset', {
    description: 'When that window resets, in Unix seconds.',
    required: true,
    schema: schemaAt('WholeNumber'),
    example: 1795230060,
  }),
  ...header('RateLimit-Policy', 'Policy', {
    description: 'All windows and their quotas (draft-ietf-httpapi-ratelimit-headers).',
    required: true,
    schema: {
      type: 'string',
      pattern: `^${LIMIT_WINDOW}q=[0-9]+;w=[0-9]+(, ${LIMIT_WINDOW}q=[0-9]+;w=[0-9]+)*$`,
    },
    example: '"minute";q=300;w=60, "day";q=10000;w=86400',
  }),
  ...header('RateLimit', 'RateLimit', RATE_LIMIT),
};

/** A header of each response, which the document describes once. */
export const INTERFACE_VERSION: Readonly<Record<string, HeaderObject>> = {
  'Petstore-Version': {
    description: 'The date of the newest change of the interface that this service has.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' },
    example: INTERFACE_DATE,
  },
};

/** The limit headers of a 429, with the values of an account that has used up its minute. */
export const EXHAUSTED_LIMIT: Headers = {
  ...header('X-RateLimit-Remaining', 'NoneRemaining', { ...REMAINING, example: 0 }),
  ...header('RateLimit', 'ExhaustedRateLimit', {
    ...RATE_LIMIT,
    example: '"minute";r=0;t=42, "day";r=9700;t=75582',
  }),
};

export const RETRY_AFTER = header('Retry-After', 'RetryAfter', {
  description: 'Seconds to wait. After a 429, a client that waits is not refused for the same window again.',
  required: true,
  schema: SECONDS,
  example: 42,
});
export const RETRY_AFTER_OF_KEY = header('Retry-After', 'RetryAfterInProgress', {
  description: 'Seconds to wait; sent with `idempotency_in_progress`.',
  schema: SECONDS,
  example: 1,
});
export const WWW_AUTHENTICATE = header('WWW-Authenticate', 'Challenge', {
  description: 'How to authenticate, and which scope is missing (RFC 6750).',
  required: true,
  schema: { type: 'string', pattern: '^Bearer realm="petstore"' },
  example: 'Bearer realm="petstore", error="invalid_token"',
});
export const ACCEPT = header('Accept', 'Accept', {
  description: 'The supported media type (RFC 9110 section 12.5.1).',
  required: true,
  schema: { type: 'string', const: 'application/json' },
});
export const ACCEPT_PATCH = header('Accept-Patch', 'AcceptPatch', {
  description: 'The supported media types (RFC 5789).',
  required: true,
  schema: { type: 'string', const: 'application/json, application/merge-patch+json' },
});

export const LIST_TAG = header('ETag', 'ListETag', {
  description: 'The entity tag of these bytes; send it back in `If-None-Match` (RFC 9110 section 8.8.3).',
  schema: ENTITY_TAG,
});
export const ITEM_TAG = header('ETag', 'ItemETag', {
  description: 'The entity tag of the item; send it in `If-None-Match`, or in `If-Match` of a write.',
  required: true,
  schema: ENTITY_TAG,
  example: '"3-4711-mqxz0p3k"',
});
export const CACHE_CONTROL = header('Cache-Control', 'CacheControl', {
  description: 'The client may store the response, and must revalidate it before each use.',
  schema: { type: 'string', pattern: '^[a-z-]+(, [a-z-]+)*$' },
  example: 'private, no-cache',
});
export const VARY = header('Vary', 'Vary', {
  description: 'Request headers that the bytes depend on.',
  schema: { type: 'string', pattern: '^[A-Za-z-]+(, [A-Za-z-]+)*$' },
  example: 'Accept-Encoding',
});
export const NEXT_PAGE = header('Link', 'NextPage', {
  description: 'The next page, with `rel="next"` (RFC 8288); missing on the last page.',
  schema: LINK,
});

export const REPLAYED = header('Idempotency-Replayed', 'IdempotencyReplayed', {
  description: '`true` on the stored response to an earlier request with the same `Idempotency-Key`.',
  schema: { type: 'string', const: 'true' },
});
export const LOCATION = header('Location', 'MovementLocation', {
  description: 'The address of the recorded movement.',
  required: true,
  schema: { type: 'string', format: 'uri' },
});
/** The address of what a request created. */
export const CREATED_AT = header('Location', 'CreatedLocation', {
  description: 'The address of the new resource.',
  required: true,
  schema: { type: 'string', format: 'uri' },
});

/** Headers of a refusal about the stock that caused it. */
export const CURRENT_STOCK_HEADERS: Headers = {
  ...header('ETag', 'CurrentETag', {
    description: 'The entity tag of the item now; send it in `If-Match`.',
    schema: ENTITY_TAG,
    example: '"3-4711-mqxz0p3k"',
  }),
  ...header('Inventory-Quantity', 'InventoryQuantity', {
    description: 'The quantity now.',
    schema: schemaAt('WholeNumber'),
    example: 5,
  }),
  ...header('Inventory-Version', 'InventoryVersion', {
    description: 'The version of the item now.',
    schema: schemaAt('WholeNumber'),
    example: 7,
  }),
  ...header('Link', 'RelatedMovements', {
    description:
      'The movements since the state that the request names, `rel="version-history"` (RFC 5829); or the movement that conflicts, `rel="related"`.',
    schema: LINK,
  }),
};

const PET_IN_THE_WAY = '-?[0-9]+;quantity=[0-9]+;result=-?[0-9]+';

/** Headers of a refusal that pets cause. */
export const PETS_IN_THE_WAY: Headers = {
  ...header('Inventory-Pets', 'InventoryPets', {
    description:
      'Up to 20 of the pets that are in the way: the petId, the `quantity` now, and the `result` that is not possible.',
    schema: { type: 'string', pattern: `^${PET_IN_THE_WAY}(, ${PET_IN_THE_WAY})*$` },
    example: '2;quantity=8;result=-7, 5;quantity=0;result=-1',
  }),
  ...header('Inventory-Pet-Count', 'InventoryPetCount', {
    description: 'How many pets are in the way, also those that `Inventory-Pets` leaves out.',
    schema: schemaAt('WholeNumber'),
    example: 2,
  }),
};

export const LIST_SEQUENCE = header('Inventory-Sequence', 'ListSequence', {
  description:
    'The movement after which the stock was so. The movements `after` it continue the list without a gap.',
  required: true,
  schema: schemaAt('WholeNumber'),
  example: 4711,
});
export const LEDGER_SEQUENCE = header('Inventory-Sequence', 'LedgerSequence', {
  description: 'The newest movement of the ledger; these pages include all matching movements up to it.',
  required: true,
  schema: schemaAt('WholeNumber'),
  example: 4711,
});
export const LEDGER_START = header('Ledger-Start', 'LedgerStart', {
  description:
    'Movements up to this sequence may be missing, because the operator prunes them. Sent when the query reaches that far back.',
  schema: schemaAt('WholeNumber'),
  example: 1200,
});
export const ACCEL_BUFFERING = header('X-Accel-Buffering', 'AccelBuffering', {
  description: 'Proxies that understand it do not buffer the events.',
  schema: { type: 'string', const: 'no' },
});
/** Headers of each response of a deprecated operation, errors included. */
export const DEPRECATION_HEADERS: Headers = {
  ...header('Deprecation', 'Deprecation', {
    description: 'When the operation became deprecated: `@` and Unix seconds (RFC 9745).',
    schema: { type: 'string', pattern: '^@[0-9]+$' },
    example: '@1782864000',
  }),
  ...header('Sunset', 'Sunset', {
    description: 'From when on the operation returns 410: an HTTP date (RFC 8594).',
    schema: { type: 'string', pattern: '^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT$' },
    example: 'Wed, 30 Jun 2027 00:00:00 GMT',
  }),
  ...header('Link', 'DeprecationLinks', {
    description: 'The documentation of the deprecation and of the sunset.',
    schema: LINK,
  }),
};
