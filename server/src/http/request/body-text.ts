import { ApiError } from '../../domain/errors.ts';
import { LateBody } from '../../listen/body-pieces.ts';
import type { RequestContext } from './request-context.ts';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a request's body as text; empty without a body.
 * @throws ApiError `body_too_large`, `request_timeout`, `malformed_request` for an incomplete body, or `malformed_json` for bytes that
 * are not UTF-8.
 */
export async function readBodyText(context: RequestContext, maxBytes: number): Promise<string> {
  const declaredLength = context.header('content-length');
  if (declaredLength !== null && Number(declaredLength) > maxBytes) throw tooLarge(context, maxBytes);
  const bytes = await context.request.readBody(maxBytes).catch((cause: unknown) => {
    throw cause instanceof LateBody ? late(context) : endedEarly(context, cause);
  });
  if (bytes === undefined) throw tooLarge(context, maxBytes);
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new ApiError('malformed_json', 'The body is not valid UTF-8.');
  }
}

function tooLarge(context: RequestContext, maxBytes: number): ApiError {
  // The unread rest of the body must not be read as the next request.
  context.closes = true;
  return new ApiError('body_too_large', `The body must have at most ${maxBytes} bytes.`);
}

function late(context: RequestContext): ApiError {
  context.closes = true;
  return new ApiError('request_timeout', 'The body did not arrive in time.');
}

function endedEarly(context: RequestContext, cause: unknown): ApiError {
  context.closes = true;
  return new ApiError('malformed_request', 'The body is shorter than its declared length.', { cause });
}
