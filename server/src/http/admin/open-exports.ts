import { serviceUnavailable } from '../../domain/errors.ts';
import type { RequestContext } from '../request/request-context.ts';

/** Files of an operation that one management key may read at the same time, per instance and operation. */
export const MAX_OPEN_EXPORTS = 5;

/** Counts the files of pets and of reports that clients read: a slow client keeps its own open for as long as it reads. */
export class OpenExports {
  /** By operation and key. */
  readonly #countOf = new Map<string, number>();

  /**
   * The body of a response to `GET`. `HEAD` opens none. It is aborted as soon as its key or session is revoked.
   * @throws ApiError `service_unavailable` when the key has reached its limit.
   */
  bodyOf(
    context: RequestContext,
    texts: AsyncGenerator<string | Uint8Array>,
  ): ReadableStream<Uint8Array> | null {
    if (context.isHead) return null;
    const { operation, principal, request } = context;
    return streamOf(context, texts, this.#open(`${operation} ${principal?.key.id}`, request.signal));
  }

  /** Returns a function that ends the file. It may be called again. */
  #open(reader: string, signal: AbortSignal): () => void {
    const count = this.#countOf.get(reader) ?? 0;
    if (count >= MAX_OPEN_EXPORTS) {
      throw serviceUnavailable(
        `This key reads ${count} such files here already, which is its limit. Read one to its end, or close it.`,
      );
    }
    this.#countOf.set(reader, count + 1);
    let isOpen = true;
    const end = () => {
      if (!isOpen) return;
      isOpen = false;
      this.#end(reader);
    };
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    return end;
  }

  #end(reader: string): void {
    const count = (this.#countOf.get(reader) ?? 0) - 1;
    if (count > 0) this.#countOf.set(reader, count);
    else this.#countOf.delete(reader);
  }
}

/**
 * A body of texts, each read when the client has room for it. An empty one sends nothing, so that the next is read in the
 * same pull. A read error aborts the body: it is never truncated silently.
 * @param onEnd Called when the client has the whole body, or does not read it any more.
 */
function streamOf(
  context: RequestContext,
  texts: AsyncGenerator<string | Uint8Array>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (;;) {
            context.request.signal.throwIfAborted();
            await context.requireStillValid();
            const { done, value } = await texts.next();
            if (done) break;
            if (value.length > 0)
              return controller.enqueue(typeof value === 'string' ? Buffer.from(value) : value);
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
