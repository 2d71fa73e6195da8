/** The value, or `undefined` if it takes longer. */
export async function within<T>(ms: number, value: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}

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
