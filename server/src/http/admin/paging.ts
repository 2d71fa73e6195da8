import type { Answer } from '../../listen/exchange.ts';
import type { Reference } from '../openapi/components.ts';
import { NEXT_PAGE } from '../openapi/headers.ts';
import { CURSOR, LIMIT } from '../openapi/parameters.ts';
import { invalidParameter, readLimit, readQuery } from '../request/query-parameters.ts';
import type { RequestContext } from '../request/request-context.ts';
import { respondJson } from './admin-operation.ts';

/** Pages of collections whose members have an id such as `acc_4fQ2n8Zk1bXw0aLr`. */

export const PAGE_PARAMETERS: readonly Reference[] = [LIMIT, CURSOR];
export const PAGE_HEADERS = NEXT_PAGE;
const ID = /^[a-z]{3,10}_[0-9A-Za-z]{16}$/;

export interface PageQuery {
  /** As sent. */
  readonly parameters: URLSearchParams;
  readonly limit: number;
  /** The id of the last member of the page before. */
  readonly after: string | undefined;
}

/** @param names Further parameters of the query. @throws ApiError `invalid_parameter`. */
export function readPage(context: RequestContext, names: readonly string[] = []): PageQuery {
  const parameters = readQuery(context.query, ['limit', 'cursor', ...names]);
  const cursor = parameters.get('cursor');
  const after = cursor === null ? undefined : Buffer.from(cursor, 'base64url').toString('latin1');
  if (after !== undefined && (!ID.test(after) || encodeId(after) !== cursor)) {
    throw invalidParameter('cursor must come from the Link header of the page before.');
  }
  return { parameters, limit: readLimit(parameters), after };
}

/**
 * Responds with a page.
 * @param members One more than the limit, if there are so many.
 * @param address The address of the collection, without a query.
 */
export function respondPage<T>(
  context: RequestContext,
  { parameters, limit }: PageQuery,
  members: readonly T[],
  { address, idOf, json }: { address: string; idOf: (member: T) => string; json: (member: T) => unknown },
): Answer {
  const shown = members.slice(0, limit);
  const last = shown.at(-1);
  const headers: Record<string, string> = {};
  if (last !== undefined && members.length > limit) {
    parameters.set('cursor', encodeId(idOf(last)));
    headers.Link = `<${address}?${parameters}>; rel="next"`;
  }
  return respondJson(context, 200, shown.map(json), headers);
}

function encodeId(id: string): string {
  return Buffer.from(id, 'latin1').toString('base64url');
}
