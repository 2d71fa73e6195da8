import { serviceUnavailable } from '../../domain/errors.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import {
  gzipTagPrefix,
  type InventoryList,
  type InventoryStore,
  type ListContent,
  type Store,
} from '../../domain/store.ts';
import { nextStep } from '../../domain/turn.ts';
import type { Answer, AnswerBody } from '../../listen/exchange.ts';
import type { Peer } from '../../listen/peer.ts';
import { isGzipAccepted, isNoneMatchMet } from '../request/content-negotiation.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { Operation } from '../request/operation.ts';
import type { RequestContext } from '../request/request-context.ts';
import { answerAsOf } from './list-as-of.ts';
import { listInventoryRoute } from './list-inventory-route.ts';
import { encodeCursor, type PageParameters, readListQuery } from './list-query.ts';
import { ListReaders } from './list-readers.ts';

/** Smaller lists are not worth compressing: they travel in one packet either way. */
const WORTH_COMPRESSING_BYTES = 1_024;

/** An answer may be kept by the client alone, and asked about each time; so a 304 is all a repeated list costs. */
function cachingHeaders(entityTag: string, tag: string): Record<string, string> {
  return {
    ETag: entityTag,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding',
    'Inventory-Sequence': String(sequenceOfListTag(tag)),
  };
}

export function listInventory(store: Store, baseUrl: string, readers = new ListReaders()): Operation {
  return {
    route: listInventoryRoute,
    scope: 'inventory:read',
    isFree: false,
    handle: (context) => {
      // Before any precondition: a request that would be refused is never answered 304 (RFC 9110 section 13.2.1).
      const query = context.query === '' ? undefined : readListQuery(context.query);
      if (query?.cut) return answerAsOf(context, store.ledger, baseUrl, query, query.cut);
      const page = query?.page;
      const answer = () =>
        page ? answerPage(context, store, baseUrl, page) : answerList(context, store, readers);
      const ifNoneMatch = context.header('if-none-match');
      if (ifNoneMatch === null) return answer();
      return andThen(store.inventoryTag(context.ledgerHead), (tag) => {
        const held = heldTag(ifNoneMatch, tag, !page && wantsGzip(context));
        if (held === undefined) return answer();
        return context.respond(304, null, cachingHeaders(held, tag));
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

function wantsGzip(context: RequestContext): boolean {
  return isGzipAccepted(context.header('accept-encoding'));
}

function answerList(
  context: RequestContext,
  store: InventoryStore,
  readers: ListReaders,
): MaybePromise<Answer> {
  return andThen(store.listInventory(context.ledgerHead), (list) => {
    const isGzip = list.byteLength >= WORTH_COMPRESSING_BYTES && wantsGzip(context);
    const headers = cachingHeaders(`"${isGzip ? list.gzipTag : list.tag}"`, list.tag);
    headers['Content-Type'] = JSON_TYPE;
    if (isGzip) {
      headers['Content-Encoding'] = 'gzip';
      context.plainTag = `"${list.tag}"`;
    } else headers['Content-Length'] = String(list.byteLength);
    if (context.isHead) return context.respond(200, null, headers);
    const content = isGzip ? list.gzip() : list.json();
    return context.respond(200, bodyOf(content, context.request, list, readers), headers);
  });
}

function bodyOf(content: ListContent, peer: Peer, list: InventoryList, readers: ListReaders): AnswerBody {
  if (typeof content === 'string') return content;
  if (content instanceof Uint8Array) return content as Uint8Array<ArrayBuffer>;
  return streamOf(content, (abort) => readers.add(list, () => (peer.cut ? peer.cut() : abort())));
}

/**
 * Pieces are made when the client has room for them, so a slow one holds no more than one. For a fast one all of them
 * would be made in one turn of the event loop.
 * @param onOpen Receives a function that aborts the stream, and returns one that is called when it ends.
 */
function streamOf(
  pieces: Iterable<Uint8Array>,
  onOpen: (abort: () => void) => () => void,
): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]();
  let onEnd = () => {};
  return new ReadableStream({
    start(controller) {
      onEnd = onOpen(() => {
        onEnd();
        iterator.return?.();
        // Never an end that looks like that of the list.
        controller.error(serviceUnavailable('The list was read too slowly.'));
      });
    },
    async pull(controller) {
      await nextStep();
      const { done, value } = iterator.next();
      if (!done) return controller.enqueue(value);
      onEnd();
      controller.close();
    },
    cancel() {
      onEnd();
    },
  });
}

function answerPage(
  context: RequestContext,
  store: InventoryStore,
  baseUrl: string,
  { after, limit }: PageParameters,
): MaybePromise<Answer> {
  return andThen(store.listInventoryPage(after, limit), ({ tag, json, nextAfter }) => {
    const headers = cachingHeaders(`"${tag}"`, tag);
    headers['Content-Type'] = JSON_TYPE;
    if (nextAfter !== undefined) {
      headers.Link = `<${baseUrl}/inventory?limit=${limit}&cursor=${encodeCursor(nextAfter)}>; rel="next"`;
    }
    return context.respond(200, json as Uint8Array<ArrayBuffer>, headers);
  });
}

/** Where the ledger stood; the tag of a list begins with it. */
function sequenceOfListTag(tag: string): number {
  return Number.parseInt(tag, 36);
}
