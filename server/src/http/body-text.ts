import { ApiError } from '../domain/errors.ts';
import type { Call } from './call.ts';

const FIRST_BYTES = 4_096;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a request's body as text; empty where there is none.
 * @throws ApiError `body_too_large`, `malformed_request` for one that ended early, or `malformed_json` for bytes that
 * are not UTF-8.
 */
export async function readBodyText(call: Call, largestBytes: number): Promise<string> {
  const declaredLength = call.header('content-length');
  if (declaredLength !== null && Number(declaredLength) > largestBytes) throw tooLarge(call, largestBytes);
  let bytes: ArrayBuffer | Uint8Array;
  try {
    bytes =
      declaredLength === null ? await readCounted(call, largestBytes) : await call.request.arrayBuffer();
  } catch (cause) {
    throw cause instanceof ApiError ? cause : endedEarly(call, cause);
  }
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new ApiError('malformed_json', 'The body is not valid UTF-8.');
  }
}

/**
 * Reads a body of unknown length, and stops at the first byte too many. Copies each piece, because a kept one takes 200
 * bytes and more, and a client may send a megabyte in pieces of one byte.
 */
async function readCounted(call: Call, largestBytes: number): Promise<Uint8Array> {
  let bytes = Buffer.allocUnsafe(FIRST_BYTES);
  let length = 0;
  for await (const piece of call.request.body ?? []) {
    const end = length + piece.byteLength;
    if (end > largestBytes) throw tooLarge(call, largestBytes);
    if (end > bytes.length) bytes = Buffer.concat([bytes], Math.max(end, 2 * bytes.length));
    bytes.set(piece, length);
    length = end;
  }
  return bytes.subarray(0, length);
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
