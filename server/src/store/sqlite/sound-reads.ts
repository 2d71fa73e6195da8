import { unreadable } from '../errors.ts';
import { isDamaged } from './file/busy.ts';
import { damaged, type WriterThread } from './writer-thread.ts';

/** The disk did not confirm a commit, so it may be there after a crash or not. */
const UNCERTAIN =
  'The disk refuses to confirm commits (fsync), so the service answers 503 until it confirms one; check the disk.';

/** Reads of a database that a restart would find in the same state. */
export class SoundReads {
  readonly #writer: WriterThread;

  constructor(writer: WriterThread) {
    this.#writer = writer;
  }

  /** Why the database must not be read now: a restart may find another state. */
  findFault(): string | undefined {
    return this.#writer.loss ?? (this.#writer.isCertain ? undefined : UNCERTAIN);
  }

  /** @throws The refusal of a fault, if there is one. */
  require(refusal: (cause: unknown) => Error): void {
    const fault = this.findFault();
    if (fault !== undefined) throw refusal(new Error(fault));
  }

  /** Reads, and turns errors into those that callers expect. */
  read<T>(read: () => T): T {
    try {
      const value = read();
      return value instanceof Promise ? (value.catch(this.onFailure) as T) : value;
    } catch (cause) {
      return this.onFailure(cause);
    }
  }

  /** Throws what callers expect after an error of a read; damage ends the service's use of the database. */
  readonly onFailure = (cause: unknown): never => {
    if (isDamaged(cause)) this.#writer.noteLoss(damaged((cause as Error).message));
    return unreadable(cause);
  };
}
