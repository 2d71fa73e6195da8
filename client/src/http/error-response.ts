import type { ErrorBody } from '../api/schemas.ts';
import { type ErrorDetails, type PetInTheWay, PetstoreError } from '../errors.ts';
import { readRetryAfter } from '../limits/rate-limits.ts';
import type { Received } from './attempt.ts';

/** The error that a response describes; `undefined` for a success. Pages of proxies have no code of the service. */
export function errorOf({ status, headers, text }: Received): PetstoreError | undefined {
  // 304 has the text of the cache, if there is one.
  if ((status >= 200 && status < 300) || (status === 304 && text !== '')) return undefined;
  const body = bodyOf(text);
  const isOurs = typeof body?.code === 'string' && body.status === status;
  const message = isOurs ? body.message : `The response has status ${status} and is not one of the service.`;
  return new PetstoreError(message, {
    code: isOurs ? body.code : 'invalid_response',
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: readRetryAfter(headers),
    details: detailsOf(headers),
  });
}

function bodyOf(text: string): ErrorBody | undefined {
  try {
    return JSON.parse(text) as ErrorBody;
  } catch {
    return undefined;
  }
}

function detailsOf(headers: Headers): ErrorDetails {
  const number = (name: string) => (headers.has(name) ? Number(headers.get(name)) : undefined);
  const details = {
    etag: headers.get('ETag') ?? undefined,
    quantity: number('Inventory-Quantity'),
    version: number('Inventory-Version'),
    link: /<([^>]*)>/.exec(headers.get('Link') ?? '')?.[1],
    pets: petsOf(headers.get('Inventory-Pets')),
    petCount: number('Inventory-Pet-Count'),
    scope: /scope="([^"]*)"/.exec(headers.get('WWW-Authenticate') ?? '')?.[1],
    isReplayed: headers.has('Idempotency-Replayed') || undefined,
  };
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}

function petsOf(value: string | null): readonly PetInTheWay[] | undefined {
  if (value === null) return undefined;
  return [...value.matchAll(/(-?\d+);quantity=(\d+);result=(-?\d+)/g)].map(
    ([, petId = '', quantity, result = '']) => ({
      petId: BigInt(petId),
      quantity: Number(quantity),
      result: BigInt(result),
    }),
  );
}
