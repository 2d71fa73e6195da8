import {
  DOCUMENT,
  DOCUMENTS,
  type DocumentedOperation,
  operationsIn,
  samplePath,
} from '../../support/openapi-document.ts';
import { bodySlots, exampleBody } from './body-slots.ts';
import { encoded, headerBytes } from './encoding.ts';
import type { HostileRequest } from './measured-service.ts';
import { headerNames } from './source-expressions.ts';

/** A place in a request that takes a caller's text. */
export interface Slot {
  readonly operation: string;
  readonly place: string;
  /** The text that the operation expects there. */
  readonly sample: string;
  /** Characters that it may have. */
  readonly size: number;
  readonly isJson?: boolean;
  request(text: string): HostileRequest;
}

/** Below the limit of a runtime for the head of a request: 16 KiB. */
const HEAD_SIZE = 14_000;
const SMALL_BODY_SIZE = 48 * 1_024;

const CLIENT_OPERATIONS = new Set(operationsIn(DOCUMENT).map(({ operation }) => operation.operationId));

/** The routes other than operations, and their requests that take a text. */
const SERVICE_PATHS = ['/healthz', '/readyz', '/metrics'];
const OPEN_PATHS = ['/v1/', '/', '/healthz?', '/openapi.json?'];

/** Valid text for each header, unless the operation defines it. */
const HEADER_SAMPLES: Readonly<Record<string, string>> = {
  accept: 'application/json;q=0.5',
  'accept-encoding': 'gzip;q=0.5',
  'content-encoding': 'identity',
  'content-type': 'application/json; charset=utf-8',
  'idempotency-key': '"a"',
  'if-match': '"3-4711-mqxz0p3k"',
  'if-none-match': '"3-4711-mqxz0p3k"',
  'last-event-id': '1',
  origin: 'https://shop.example',
  'x-forwarded-for': '127.0.0.1, 127.0.0.1',
};

/** The keys of the requests. */
export interface SlotKeys {
  readonly key: string;
  /** Management keys, which the requests use in turn: each has a limit per minute, and a lower one for costly operations. */
  readonly adminKeys: readonly string[];
}

/** An operation with the path of its document. */
interface Place {
  readonly documented: DocumentedOperation;
  readonly base: string;
}

/** All operations. Those that both documents have are examined in that of clients: the handlers are the same. */
const PLACES: readonly Place[] = DOCUMENTS.flatMap(({ base, document }) =>
  operationsIn(document)
    .filter(({ operation }) => document === DOCUMENT || !CLIENT_OPERATIONS.has(operation.operationId))
    .map((documented) => ({ documented, base })),
);

/**
 * Whether the headers of an operation are examined. The management API has one reader of them per method and type of
 * body, so one operation of each is enough there.
 */
function hasOwnHeaders({ documented, base }: Place): boolean {
  const readerOf = ({ method, operation }: DocumentedOperation) =>
    [method, ...Object.keys(operation.requestBody?.content ?? {})].join();
  const isSame = (other: Place) => other.base === base && readerOf(other.documented) === readerOf(documented);
  return base === '/v1' || PLACES.find(isSame)?.documented === documented;
}

/** The slots of all documented operations and the other routes. */
export function requestSlots({ key, adminKeys }: SlotKeys): Slot[] {
  const headers = headerNames();
  let uses = 0;
  const nextAdminKey = () => {
    uses += 1;
    return adminKeys[uses % adminKeys.length] ?? '';
  };
  const ofOperations = PLACES.flatMap((place) => {
    const base = baseOf(place, key);
    const { documented } = place;
    const { operationId } = documented.operation;
    const slots = [
      ...parameterSlots(place, base),
      ...(hasOwnHeaders(place) ? headerSlots(operationId, base, headers) : []),
      ...bodySlots(documented).map(({ withBody, ...slot }): Slot => ({
        operation: operationId,
        ...slot,
        request: (text) => ({ ...base, body: withBody(text) }),
      })),
    ];
    return place.base === '/v1' ? slots : slots.map((slot) => withKeys(slot, key, nextAdminKey));
  });
  const ofPaths = OPEN_PATHS.map((path) => pathSlot(path, key));
  const ofService = SERVICE_PATHS.flatMap((target) =>
    headerSlots(target, { method: 'GET', target, headers: {} }, headers),
  );
  return [...ofOperations, ...ofPaths, ...ofService];
}

/** One slot per reader of a text, without large bodies, for a short test. */
export function distinctSlots(slots: readonly Slot[]): Slot[] {
  const distinct = new Map<string, Slot>();
  for (const slot of slots) {
    const { method } = slot.request(slot.sample);
    const reader = slot.place.startsWith('header') ? `${method} ${slot.place}` : slot.place;
    if (slot.place.startsWith('rows') || distinct.has(reader)) continue;
    distinct.set(reader, { ...slot, size: Math.min(slot.size, SMALL_BODY_SIZE) });
  }
  return [...distinct.values()];
}

/** A slot whose requests each have another key, unless the text replaces it. */
function withKeys(slot: Slot, key: string, nextKey: () => string): Slot {
  return {
    ...slot,
    request: (text) => {
      const { headers, ...request } = slot.request(text);
      const other = nextKey();
      const changed = Object.entries(headers).map(([name, value]) => [name, value.replace(key, other)]);
      return { ...request, headers: Object.fromEntries(changed) };
    },
  };
}

function baseOf({ documented, base }: Place, key: string): HostileRequest {
  const { method, path, operation } = documented;
  const body = operation.requestBody && JSON.stringify(exampleBody(documented));
  return {
    method,
    target: samplePath(path, base),
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  };
}

function parameterSlots({ documented, base: prefix }: Place, base: HostileRequest): Slot[] {
  const { path, operation } = documented;
  const common = { operation: operation.operationId, size: HEAD_SIZE };
  const parameters = (operation.parameters ?? []).filter(({ in: place }) => place !== 'header');
  const slots = parameters.map(({ name, in: place, example, schema }): Slot => {
    const target = (value: string) =>
      place === 'path'
        ? samplePath(path.replace(`{${name}}`, value), prefix)
        : `${base.target}?${name}=${value}`;
    return {
      ...common,
      place: `${place} parameter ${name}`,
      sample: String(example ?? schema.enum?.[0] ?? 'a'),
      request: (text) => ({ ...base, target: target(encoded(text, HEAD_SIZE)) }),
    };
  });
  const query: Slot = {
    ...common,
    place: 'query',
    sample: 'limit=1&a=%41',
    request: (text) => ({ ...base, target: `${base.target}?${encoded(text, HEAD_SIZE)}` }),
  };
  return [...slots, query];
}

function pathSlot(prefix: string, key: string): Slot {
  const request = (text: string): HostileRequest => ({
    method: 'GET',
    target: `${prefix}${encoded(text, HEAD_SIZE)}`,
    headers: { Authorization: `Bearer ${key}` },
  });
  return {
    operation: 'no operation',
    place: `path after ${prefix}`,
    sample: '%41',
    size: HEAD_SIZE,
    request,
  };
}

/** Each header that the service reads; also without a key, because such a request is judged by others. */
function headerSlots(operation: string, base: HostileRequest, names: readonly string[]): Slot[] {
  const { Authorization, ...others } = base.headers;
  const requests = [{ base, suffix: '' }];
  if (Authorization !== undefined)
    requests.push({ base: { ...base, headers: others }, suffix: ' without a key' });
  return requests.flatMap(({ base: sent, suffix }) =>
    names.map((name): Slot => {
      const kept = Object.entries(sent.headers).filter(([other]) => other.toLowerCase() !== name);
      return {
        operation,
        place: `header ${name}${suffix}`,
        sample: HEADER_SAMPLES[name] ?? Authorization ?? 'a',
        size: HEAD_SIZE,
        request: (text) => ({
          ...sent,
          headers: { ...Object.fromEntries(kept), [name]: headerBytes(text, HEAD_SIZE) },
        }),
      };
    }),
  );
}
