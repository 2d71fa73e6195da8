/**
 * A body of texts, each read when the client has room for it. An empty one sends nothing, so that the next is read in the
 * same pull. A read error aborts the body: it is never truncated silently.
 */
export function streamOf(texts: AsyncGenerator<string>, signal: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          signal.throwIfAborted();
          const { done, value } = await texts.next();
          if (done) return controller.close();
          if (value === '') continue;
          return controller.enqueue(Buffer.from(value));
        }
      },
    },
    { highWaterMark: 0 },
  );
}
