import { within } from '../../process/within.ts';
import type { Answer } from '../../listen/exchange.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { RequestContext } from '../request/request-context.ts';

/** Shorter than the time-outs of proxies, which are 30 seconds and more. */
const QUIET_MS = 10_000;
const MAX_SILENCE_SECONDS = 60;

/** An object for each response, because the response adds its own headers to it. */
export function slowHeaders(): Record<string, string> {
  return { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' };
}

/**
 * Responds with a JSON text that may take minutes. An early failure has the status of its error; a later one aborts the
 * connection.
 * @param quietMs Milliseconds without a byte after which a space is sent.
 */
export async function answerSlowly(
  context: RequestContext,
  json: Promise<string>,
  quietMs = QUIET_MS,
): Promise<Answer> {
  context.request.allowSilence?.(MAX_SILENCE_SECONDS);
  const text = await within(quietMs, json);
  return context.respond(200, text ?? spacesBefore(json, quietMs), slowHeaders());
}

/**
 * Streams a JSON text, and a space (RFC 8259 section 2) per `quietMs` until it is ready, so no proxy times out. A
 * failure aborts the connection, because the status is already sent.
 */
function spacesBefore(json: Promise<string>, quietMs: number): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const text = await within(quietMs, json);
        controller.enqueue(Buffer.from(text ?? ' '));
        if (text !== undefined) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
