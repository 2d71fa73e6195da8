import { z } from '@hono/zod-openapi';
import { serviceUnavailable } from '../../domain/errors.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import {
  gzipTagPrefix,
  type InventoryList,
  type InventoryStore,
  type ListContent,
  type Store,
} from '../../domain/store.ts';
import { nextStep } from '../../process/turn.ts';
import type { Answer, AnswerBody } from '../../listen/exchange.ts';
import type { Peer } from '../../listen/peer.ts';
import { HISTORY_PRUNED } from '../openapi/error-responses.ts';
import { CACHE_CONTROL, LIST_SEQUENCE, LIST_TAG, NEXT_PAGE, VARY } from '../openapi/headers.ts';
import { handwritten } from '../operation/operation.ts';
import { answered } from '../operation/output.ts';
import { isGzipAccepted, isNoneMatchMet } from '../request/content-negotiation.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { RequestContext } from '../request/request-context.ts';
import { InventoryItemSchema } from '../schemas/inventory.ts';
import { answerAsOf } from './list-as-of.ts';
import { LIST_PARAMETERS, type PageParameters, readListQuery } from './list-query.ts';
import { ListReaders } from './list-readers.ts';

/** A smaller list fits into one packet without compression. */
const WORTH_COMPRESSING_BYTES = 1_024;

const LIST_HEADERS = { ...LIST_TAG, ...CACHE_CONTROL, ...VARY, ...NEXT_PAGE, ...LIST_SEQUENCE };

/** Only the client may cache the list, and must revalidate it: a repeated list costs a 304. */
function cachingHeaders(entityTag: string, tag: string): Record<string, string> {
  return {
    ETag: entityTag,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding',
    'Inventory-Sequence': String(sequenceOfListTag(tag)),
  };
}

interface Services {
  readonly store: Pick<Store, 'inventoryTag' | 'listInventory' | 'listInventoryPage' | 'ledger'>;
  readonly baseUrl: string;
  readonly readers?: ListReaders;
}

export const listInventory = handwritten<Services>({
  tag: 'Inventory',
  id: 'listInventory',
  at: 'GET /inventory',
  summary: 'List inventory',
  description: [
    'Returns current stock levels for all pets in the store, ascending by `petId`. The list contains every change that was acknowledged before the request arrived. Send the `ETag` in `If-None-Match`: an unchanged list returns 304. With `limit` or `cursor` the list comes in pages.',
    'With `asOf` or `atSequence` the list is the stock of all pets at that moment. The other parameters filter the pets. All pages of such a list show the same moment, because `Link` names it. A page may have fewer items than `limit`, or none, and not be the last page: follow `Link` with `rel="next"` until it is missing.',
  ].join('\n\n'),
  access: { scope: 'inventory:read' },
  query: LIST_PARAMETERS,
  output: answered({
    schema: z.array(InventoryItemSchema),
    description: 'All entries, or one page of them.',
    headers: LIST_HEADERS,
    notModified: 'ListNotModified',
    isTagged: true,
  }),
  errors: {
    410: { ...HISTORY_PRUNED, description: 'The moment is before the retention start of the ledger.' },
  },
  create:
    ({ store, baseUrl, readers = new ListReaders() }) =>
    (context) => {
      // Before any precondition: an invalid request never returns 304 (RFC 9110 section 13.2.1).
      const query = context.query === '' ? undefined : readListQuery(context.query);
      if (query?.asOf) return answerAsOf(context, store.ledger, baseUrl, query, query.asOf);
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
});

/** The tag of the client's cached list, by which a cache selects the response to update (RFC 9111 section 4.3.4). */
function heldTag(ifNoneMatch: string, tag: string, acceptsGzip: boolean): string | undefined {
  // A client that does not accept gzip must not receive the tag of gzip bytes.
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
  store: Pick<InventoryStore, 'listInventory'>,
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

function answerPage(
  context: RequestContext,
  store: Pick<InventoryStore, 'listInventoryPage'>,
  baseUrl: string,
  { after, limit }: PageParameters,
): MaybePromise<Answer> {
  return andThen(store.listInventoryPage(after, limit), ({ tag, json, nextAfter }) => {
    const headers = cachingHeaders(`"${tag}"`, tag);
    headers['Content-Type'] = JSON_TYPE;
    if (nextAfter !== undefined) {
      headers.Link = `<${baseUrl}/inventory?limit=${limit}&cursor=${LIST_PARAMETERS.cursor.print(nextAfter)}>; rel="next"`;
    }
    return context.respond(200, json as Uint8Array<ArrayBuffer>, headers);
  });
}

/** The sequence of the ledger, with which the tag of a list begins. */
function sequenceOfListTag(tag: string): number {
  return Number.parseInt(tag, 36);
}

function bodyOf(content: ListContent, peer: Peer, list: InventoryList, readers: ListReaders): AnswerBody {
  if (typeof content === 'string') return content;
  if (content instanceof Uint8Array) return content as Uint8Array<ArrayBuffer>;
  return streamOf(content, (abort) => readers.add(list, () => (peer.cut ? peer.cut() : abort())));
}

/**
 * Makes a piece when the client has room for it, so a slow client holds one piece. A fast client would take all pieces
 * in one turn of the event loop; `nextStep` shares the turn with other requests.
 * @param onOpen Receives a function that aborts the stream. Returns a function to call at its end.
 */
function streamOf(
  pieces: Iterable<Uint8Array>,
  onOpen: (abort: () => void) => () => void,
): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]();
  let onEnd = () => {};
  return new ReadableStream(
    {
      start(controller) {
        onEnd = onOpen(() => {
          onEnd();
          iterator.return?.();
          // An error, because a regular end would look like the end of the list.
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
    },
    // No piece is made ahead: it would be written in a turn that has no time for it.
    { highWaterMark: 0 },
  );
}
