/** No piece of a body came for some time. */
export class SilentBody extends Error {
  override name = 'SilentBody';
}

/** Returns the pieces of a body. @throws SilentBody when a piece takes longer than the time. */
export async function* piecesInTime(
  body: AsyncIterable<Uint8Array>,
  silenceSeconds: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces = body[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await inTime(pieces.next(), silenceSeconds);
    if (done) return;
    yield value;
  }
}

async function inTime<T>(promise: Promise<T>, seconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const refuse = () => reject(new SilentBody(`No piece of the body came for ${seconds} s.`));
    timer = setTimeout(refuse, seconds * 1_000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    // It may reject after the time.
    promise.catch(() => undefined);
  }
}
