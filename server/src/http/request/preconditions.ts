import { ApiError } from '../../domain/errors.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { Answer } from '../../listen/exchange.ts';
import { type EntityTags, readEntityTags } from './entity-tags.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Evaluates `If-Match` and `If-None-Match: *` of a GET or HEAD (RFC 9110 section 13.2.2). The operation itself
 * compares tags in `If-None-Match`, because it can then skip the work of the response.
 * @param answer Called only if both headers are valid.
 */
export function withPreconditions(
  context: RequestContext,
  answer: () => MaybePromise<Answer>,
): MaybePromise<Answer> {
  const ifMatch = readEntityTags(context, 'If-Match');
  const isNoneWanted = context.header('if-none-match') === '*';
  if (ifMatch === undefined && !isNoneWanted) return answer();
  return andThen(answer(), (response) => {
    // Preconditions apply only to a request that would succeed (RFC 9110 section 13.2.1).
    if (response.status !== 200 && response.status !== 304) return response;
    if (ifMatch !== undefined && !isMatched(ifMatch, [response.headers.ETag, context.plainTag])) {
      discard(response);
      throw new ApiError(
        'precondition_failed',
        'If-Match does not name the current state. Read it again, and send its ETag.',
      );
    }
    return isNoneWanted && response.status === 200 ? notModified(response) : response;
  });
}

/** Strong comparison (RFC 9110 section 13.1.1). A response without a tag matches only `*`. */
function isMatched(ifMatch: EntityTags, tags: readonly (string | null | undefined)[]): boolean {
  return ifMatch === '*' || ifMatch.some((one) => tags.includes(`"${one}"`));
}

const OF_CONTENT = ['Content-Type', 'Content-Length', 'Content-Encoding', 'Content-Disposition'];

/** A 304 has the headers of the 200 without those of its content (RFC 9110 section 15.4.5). */
function notModified(response: Answer): Answer {
  discard(response);
  const { headers } = response;
  for (const name of OF_CONTENT) delete headers[name];
  return { status: 304, headers, body: null };
}

/** Cancels a stream that has started, so that it frees its resources. */
function discard({ body }: Answer): void {
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined);
}
