import type { NotReady } from '../../domain/errors.ts';
import { unreadable } from '../errors.ts';
import { isDamaged } from './file/busy.ts';
import type { WriterThread } from './writer-thread.ts';

/** Reads of a database that a restart would find in the same state. */
export class SoundReads {
  readonly #writer: WriterThread;

  constructor(writer: WriterThread) {
    this.#writer = writer;
  }

  /** Why the database must not be read now: a restart may find another state. */
  findFault(): NotReady | undefined {
    return this.#writer.fault;
  }

  /** @throws The refusal of a fault, if there is one. */
  require(refusal: (cause: unknown) => Error): void {
    const fault = this.findFault();
    if (fault !== undefined) throw refusal(fault);
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
    if (isDamaged(cause)) this.#writer.noteDamage((cause as Error).message);
    return unreadable(cause);
  };
}
