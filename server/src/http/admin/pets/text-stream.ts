/**
 * A body of texts, each read when the client has room for it. An empty one sends nothing, so that the next is read in the
 * same pull. A read error aborts the body: it is never truncated silently.
 * @param onEnd Called when the client has the whole body, or does not read it any more.
 */
export function streamOf(
  texts: AsyncGenerator<string>,
  signal: AbortSignal,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (;;) {
            signal.throwIfAborted();
            const { done, value } = await texts.next();
            if (done) break;
            if (value !== '') return controller.enqueue(Buffer.from(value));
          }
        } catch (error) {
          onEnd();
          throw error;
        }
        onEnd();
        controller.close();
      },
      cancel: onEnd,
    },
    { highWaterMark: 0 },
  );
}
