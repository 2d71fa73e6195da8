import { afterReading } from './after-reading.ts';

/** A body, or its next piece, did not arrive in time. */
export class LateBody extends Error {
  override name = 'LateBody';
}

/** Returns the pieces of a body. @throws LateBody when a piece takes longer than the time. */
export async function* piecesInTime(
  body: AsyncIterable<Uint8Array>,
  silenceSeconds: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces = body[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await arrivedIn(silenceSeconds, pieces.next());
    if (done) return;
    yield value;
  }
}

/** Waits for a body or a piece of it. @throws LateBody after the time. */
export async function arrivedIn<T>(seconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const refuse = () =>
      reject(new LateBody(`The body, or the next piece of it, did not arrive within ${seconds} s.`));
    timer = setTimeout(() => void afterReading().then(refuse), seconds * 1_000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    // The read may reject after the time limit.
    promise.catch(() => undefined);
  }
}
