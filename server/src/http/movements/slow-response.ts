import { within } from '../../domain/within.ts';

/**
 * Streams a JSON text, and a space (RFC 8259 section 2) per `quietMs` until it is ready, so no proxy times out. A
 * failure aborts the connection, because the status is already sent.
 */
export function spacesBefore(json: Promise<string>, quietMs: number): ReadableStream<Uint8Array> {
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
