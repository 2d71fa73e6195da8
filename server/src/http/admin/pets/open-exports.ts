import { serviceUnavailable } from '../../../domain/errors.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { authorOf } from '../admin-operation.ts';
import { streamOf } from './text-stream.ts';

/** Files of all pets that one management key may read at the same time, per instance and operation. */
export const MAX_OPEN_EXPORTS = 5;

/** Counts the files of all pets that clients read: a slow client keeps its own open for as long as it reads. */
export class OpenExports {
  readonly #countOf = new Map<string, number>();

  /**
   * The body of a response to `GET`. `HEAD` opens none.
   * @throws ApiError `service_unavailable` when the key has reached its limit.
   */
  bodyOf(context: RequestContext, texts: AsyncGenerator<string>): ReadableStream<Uint8Array> | null {
    if (context.isHead) return null;
    const { signal } = context.request;
    return streamOf(texts, signal, this.#open(authorOf(context).actor, signal));
  }

  /** Returns a function that ends the file. It may be called again. */
  #open(keyId: string, signal: AbortSignal): () => void {
    const count = this.#countOf.get(keyId) ?? 0;
    if (count >= MAX_OPEN_EXPORTS) {
      throw serviceUnavailable(
        `This key reads ${count} files of all pets here already, which is its limit. Read one to its end, or close it.`,
      );
    }
    this.#countOf.set(keyId, count + 1);
    let isOpen = true;
    const end = () => {
      if (!isOpen) return;
      isOpen = false;
      this.#end(keyId);
    };
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    return end;
  }

  #end(keyId: string): void {
    const count = (this.#countOf.get(keyId) ?? 0) - 1;
    if (count > 0) this.#countOf.set(keyId, count);
    else this.#countOf.delete(keyId);
  }
}
