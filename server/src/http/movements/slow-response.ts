/** A value that arrives in time; `undefined` when it takes longer. */
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
 * A JSON text as soon as it is there, and a space (RFC 8259 section 2) each time that nothing was sent for a while, so that
 * no time-out between here and the client cuts the connection. A text that cannot be made aborts the connection, because
 * the status is sent already.
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
