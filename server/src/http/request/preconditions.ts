import { ApiError } from '../../domain/errors.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { Answer } from '../../listen/exchange.ts';
import { type EntityTags, readEntityTags } from './entity-tags.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Evaluates what the answer to a GET or HEAD leaves open of `If-Match` and `If-None-Match` (RFC 9110 section 13.2.2).
 * A tag in `If-None-Match` is the operation's, which saves the work of an answer that the client has.
 * @param answer Called only if both headers can be read.
 */
export function withPreconditions(
  context: RequestContext,
  answer: () => MaybePromise<Answer>,
): MaybePromise<Answer> {
  const ifMatch = readEntityTags(context, 'If-Match');
  const isNoneWanted = context.header('if-none-match') === '*';
  if (ifMatch === undefined && !isNoneWanted) return answer();
  return andThen(answer(), (response) => {
    // Only what would succeed is conditional (RFC 9110 section 13.2.1).
    if (response.status !== 200 && response.status !== 304) return response;
    if (ifMatch !== undefined && !isMatched(ifMatch, [response.headers.ETag, context.plainTag])) {
      discard(response);
      throw new ApiError('precondition_failed', 'If-Match names another state than the present one.');
    }
    return isNoneWanted && response.status === 200 ? notModified(response) : response;
  });
}

/** Strong comparison (RFC 9110 section 13.1.1). What has no tag matches `*` alone. */
function isMatched(ifMatch: EntityTags, tags: readonly (string | null | undefined)[]): boolean {
  return ifMatch === '*' || ifMatch.some((one) => tags.includes(`"${one}"`));
}

/** A 304 has the headers of the 200 without those of its content (RFC 9110 section 15.4.5). */
function notModified(response: Answer): Answer {
  discard(response);
  const { headers } = response;
  for (const name of ['Content-Type', 'Content-Length', 'Content-Encoding']) delete headers[name];
  return { status: 304, headers, body: null };
}

/** Ends a stream that has begun, so that it gives back what it holds. */
function discard({ body }: Answer): void {
  if (body instanceof ReadableStream) void body.cancel();
}
