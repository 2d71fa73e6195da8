import { ApiError } from '../../domain/errors.ts';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import type { Ledger } from '../../domain/ledger-store.ts';
import { timestamp } from '../../domain/timestamps.ts';
import type { Answer } from '../../listen/exchange.ts';
import { invalidParameter } from '../operation/parameter.ts';
import { isNoneMatchMet } from '../request/content-negotiation.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type AsOfQuery, LIST_PARAMETERS, type ListQuery } from './list-query.ts';
import { MAX_READS, StockReader, streamOf } from './stock-reader.ts';

/** A larger list is streamed. */
const MAX_WHOLE_CHARACTERS = 256 * 1024;

/** Responds with the stock of one moment, whole or as a page. */
export async function answerAsOf(
  context: RequestContext,
  ledger: Ledger,
  baseUrl: string,
  { sent, page }: ListQuery,
  query: AsOfQuery,
): Promise<Answer> {
  const moment = await momentOf(context, ledger, query);
  const { sequence } = moment;
  const tag = `"${sequence.toString(36)}-${moment.recordedAtMs.toString(36)}-cut"`;
  const headers: Record<string, string> = {
    ETag: tag,
    'Cache-Control': 'private, no-cache',
    'Inventory-Sequence': String(sequence),
  };
  const ifNoneMatch = context.header('if-none-match');
  if (ifNoneMatch !== null && isNoneMatchMet(ifNoneMatch, tag)) return context.respond(304, null, headers);
  headers['Content-Type'] = JSON_TYPE;
  const { signal } = context.request;
  const stock = new StockReader(ledger, sequence, { filter: query.filter, after: page?.after, signal });
  if (page) {
    const json = await stock.take({ items: page.limit, reads: MAX_READS });
    if (stock.nextAfter !== undefined) {
      headers.Link = `<${baseUrl}/inventory?${nextPage(sent, sequence, stock.nextAfter)}>; rel="next"`;
    }
    return context.respond(200, `[${json.slice(1)}]`, headers);
  }
  const json = await stock.take({ characters: MAX_WHOLE_CHARACTERS, reads: MAX_READS });
  const body = stock.nextAfter === undefined ? `[${json.slice(1)}]` : streamOf(json, stock);
  return context.respond(200, body, headers);
}

/** The query of the next page, as of the same moment. */
function nextPage(sent: URLSearchParams, sequence: number, after: bigint): string {
  sent.delete('asOf');
  sent.set('atSequence', String(sequence));
  sent.set('cursor', LIST_PARAMETERS.cursor.print(after));
  // Commas need no escape in a query (RFC 3986 section 3.4), and a thousand petIds would grow by a kilobyte of them.
  return sent.toString().replaceAll('%2C', ',');
}

/** The last movement of the moment. */
async function momentOf(
  context: RequestContext,
  ledger: Ledger,
  { asOfMs, atSequence }: AsOfQuery,
): Promise<LedgerHead> {
  const head = context.ledgerHead ?? (await ledger.head());
  if (asOfMs === undefined && atSequence === undefined) return head;
  const start = await ledger.retentionStart();
  if (atSequence !== undefined && atSequence > head.sequence) {
    throw invalidParameter(`atSequence is ${atSequence}, but the newest movement is ${head.sequence}.`);
  }
  if (asOfMs !== undefined && asOfMs > Math.max(context.nowMs, head.recordedAtMs)) {
    const now = timestamp(context.nowMs);
    throw invalidParameter(
      `asOf is in the future: it is ${now}, and the newest movement is ${head.sequence}.`,
    );
  }
  const isBefore =
    atSequence === undefined ? (asOfMs ?? 0) < start.recordedAtMs : atSequence < start.sequence;
  if (isBefore && start.sequence > 0) throw pruned(start);
  const sequence = atSequence ?? (await ledger.sequenceAt(asOfMs ?? 0));
  // The list never contains movements that were recorded after the request was admitted, whatever their time.
  if (sequence >= head.sequence) return head;
  if (sequence <= start.sequence) return start;
  const movement = await ledger.findMovement(sequence);
  return { sequence, recordedAtMs: movement?.recordedAtMs ?? 0 };
}

function pruned({ sequence, recordedAtMs }: LedgerHead): ApiError {
  return new ApiError(
    'history_pruned',
    `The ledger is kept from movement ${sequence} of ${timestamp(recordedAtMs)}. Earlier stock is unknown.`,
  );
}
