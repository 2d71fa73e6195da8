import { ApiError } from '../domain/errors.ts';
import { andThen, type Eventually } from '../domain/eventually.ts';
import { type InventoryItem, parsePetId } from '../domain/inventory.ts';
import { gzipTagPrefix, type InventoryStore, type ListContent } from '../domain/store.ts';
import type { AnswerBody, Call } from './call.ts';
import { JSON_TYPE } from './error-response.ts';
import {
  DEFAULT_PAGE_ITEMS,
  LARGEST_PAGE_ITEMS,
  listInventoryRoute,
  updateInventoryRoute,
} from './inventory-routes.ts';
import { readJsonBody } from './json-body.ts';
import { isGzipAccepted, isNoneMatchMet } from './negotiate.ts';
import type { Operation } from './operation.ts';
import { inventoryUpdateSchema } from './schemas.ts';

/** Smaller lists are not worth compressing: they travel in one packet either way. */
const WORTH_COMPRESSING_BYTES = 1_024;

/** An answer may be kept by the client alone, and asked about each time; so a 304 is all a repeated list costs. */
function cachingHeaders(entityTag: string): Record<string, string> {
  return { ETag: entityTag, 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding' };
}

/** Reads the petId of a path, exactly. */
export function petIdParameter(text: string): bigint {
  const petId = parsePetId(text);
  if (petId !== undefined) return petId;
  throw new ApiError('invalid_parameter', 'petId must be a 64-bit integer in plain decimal, such as 7.');
}

/** The item as JSON. `JSON.stringify` refuses a bigint, and a number could not hold every petId. */
function itemJson({ petId, quantity, status }: InventoryItem): string {
  return `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`;
}

export function listInventory(store: InventoryStore, baseUrl: string): Operation {
  return {
    route: listInventoryRoute,
    scope: 'inventory:read',
    isFree: false,
    handle: (call) => {
      // Before any precondition: a request that would be refused is never answered 304 (RFC 9110 section 13.2.1).
      const page = call.query === '' ? undefined : pageParameters(call.query);
      const answer = () => (page ? answerPage(call, store, baseUrl, page) : answerList(call, store));
      const ifNoneMatch = call.header('if-none-match');
      if (ifNoneMatch === null) return answer();
      return andThen(store.inventoryTag(call.ledgerHead), (tag) => {
        const held = heldTag(ifNoneMatch, tag, !page && wantsGzip(call));
        if (held === undefined) return answer();
        return call.respond(304, null, cachingHeaders(held));
      });
    },
  };
}

/** The tag under which the client has the list, for a cache finds its stored answer by it (RFC 9111 section 4.3.4). */
function heldTag(ifNoneMatch: string, tag: string, acceptsGzip: boolean): string | undefined {
  // Never a gzip one to a client that asks for none: it would be told of bytes it cannot read.
  if (acceptsGzip) {
    const prefix = gzipTagPrefix(tag);
    const zipped = (ifNoneMatch.match(/"[0-9a-z-]+"/g) ?? []).find((one) => one.startsWith(prefix, 1));
    if (zipped) return zipped;
  }
  return isNoneMatchMet(ifNoneMatch, `"${tag}"`) ? `"${tag}"` : undefined;
}

function wantsGzip(call: Call): boolean {
  return isGzipAccepted(call.header('accept-encoding'));
}

function answerList(call: Call, store: InventoryStore): Eventually<Response> {
  return andThen(store.listInventory(call.ledgerHead), (list) => {
    const isGzip = list.byteLength >= WORTH_COMPRESSING_BYTES && wantsGzip(call);
    const headers = cachingHeaders(`"${isGzip ? list.gzipTag : list.tag}"`);
    headers['Content-Type'] = JSON_TYPE;
    if (isGzip) headers['Content-Encoding'] = 'gzip';
    else headers['Content-Length'] = String(list.byteLength);
    return call.respond(200, bodyOf(isGzip ? list.gzip() : list.json()), headers);
  });
}

function bodyOf(content: ListContent): AnswerBody {
  if (typeof content === 'string') return content;
  return content instanceof Uint8Array ? (content as Uint8Array<ArrayBuffer>) : streamOf(content);
}

/** Pieces are made when the client has room for them, so a slow one holds no more than one. */
function streamOf(pieces: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

function answerPage(
  call: Call,
  store: InventoryStore,
  baseUrl: string,
  { after, limit }: PageParameters,
): Eventually<Response> {
  return andThen(store.listInventoryPage(after, limit), ({ tag, json, nextAfter }) => {
    const headers = cachingHeaders(`"${tag}"`);
    headers['Content-Type'] = JSON_TYPE;
    if (nextAfter !== undefined) {
      headers.Link = `<${baseUrl}/inventory?limit=${limit}&cursor=${encodeCursor(nextAfter)}>; rel="next"`;
    }
    return call.respond(200, json as Uint8Array<ArrayBuffer>, headers);
  });
}

interface PageParameters {
  readonly after: bigint | undefined;
  readonly limit: number;
}

function pageParameters(query: string): PageParameters {
  const parameters = new URLSearchParams(query);
  for (const name of new Set(parameters.keys())) {
    if (name !== 'limit' && name !== 'cursor') {
      throw new ApiError('invalid_parameter', `There is no query parameter ${JSON.stringify(name)} here.`);
    }
    if (parameters.getAll(name).length > 1) {
      throw new ApiError('invalid_parameter', `Give the query parameter ${name} once.`);
    }
  }
  const limitText = parameters.get('limit') ?? String(DEFAULT_PAGE_ITEMS);
  const limit = /^[1-9]\d{0,3}$/.test(limitText) ? Number(limitText) : Number.NaN;
  if (!(limit <= LARGEST_PAGE_ITEMS)) {
    throw new ApiError('invalid_parameter', `limit must be a whole number from 1 to ${LARGEST_PAGE_ITEMS}.`);
  }
  const cursor = parameters.get('cursor');
  return { after: cursor === null ? undefined : decodeCursor(cursor), limit };
}

/** A cursor is opaque to clients, so that what it holds can change. */
function encodeCursor(after: bigint): string {
  return Buffer.from(String(after)).toString('base64url');
}

function decodeCursor(cursor: string): bigint {
  const after = parsePetId(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (after === undefined || encodeCursor(after) !== cursor) {
    throw new ApiError('invalid_parameter', 'cursor must come from the Link header of the page before.');
  }
  return after;
}

export function updateInventory(store: InventoryStore, maxQuantity: number): Operation {
  const schema = inventoryUpdateSchema(maxQuantity);
  return {
    route: updateInventoryRoute(schema),
    scope: 'inventory:write',
    isFree: false,
    handle: async (call, parameter) => {
      const petId = petIdParameter(parameter('petId'));
      const { quantity } = await readJsonBody(call, schema);
      const item = await store.setQuantity({
        petId,
        // Turns -0 into 0.
        quantity: quantity + 0,
        actor: call.holder?.key.id as string,
        requestId: call.requestId,
        atMs: call.nowMs,
      });
      return call.respond(200, itemJson(item), { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' });
    },
  };
}
