import type { Texts } from '../../texts/en.ts';
import type { Format } from '../../texts/format.ts';

/** Thrown by an undo of which a part is done. Its cause is the error that stopped it. */
export class PartlyUndone extends Error {
  override name = 'PartlyUndone';
  /** Pets that are set back. */
  readonly done: number;
  /** Pets that are not, as far as an answer of the service says. */
  readonly left: number;

  constructor(done: number, left: number, cause: unknown) {
    super(`${done} pets are set back, ${left} are not`, { cause });
    this.done = done;
    this.left = left;
  }

  /** Describes what is undone and what is not. @param why What stopped it; `undefined` if the service did not answer. */
  text({ app, shared }: Texts, format: Format, why: string | undefined): string {
    const [done, left] = [this.done, this.left].map((count) => shared.pets(format.count(count)));
    return why === undefined
      ? app.undoPartlyUnanswered(done as string, left as string)
      : app.undonePartly(done as string, left as string, why);
  }
}
