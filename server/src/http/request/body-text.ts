import { ApiError } from '../../domain/errors.ts';
import type { Call } from './request-context.ts';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a request's body as text; empty where there is none.
 * @throws ApiError `body_too_large`, `malformed_request` for one that ended early, or `malformed_json` for bytes that
 * are not UTF-8.
 */
export async function readBodyText(call: Call, largestBytes: number): Promise<string> {
  const declaredLength = call.header('content-length');
  if (declaredLength !== null && Number(declaredLength) > largestBytes) throw tooLarge(call, largestBytes);
  const bytes = await call.request.readBody(largestBytes).catch((cause: unknown) => {
    throw endedEarly(call, cause);
  });
  if (bytes === undefined) throw tooLarge(call, largestBytes);
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new ApiError('malformed_json', 'The body is not valid UTF-8.');
  }
}

function tooLarge(call: Call, largestBytes: number): ApiError {
  // What is left of the body must not be read as the next request.
  call.closes = true;
  return new ApiError('body_too_large', `The body may have ${largestBytes} bytes at most here.`);
}

function endedEarly(call: Call, cause: unknown): ApiError {
  call.closes = true;
  return new ApiError('malformed_request', 'The body ended before its length.', { cause });
}
