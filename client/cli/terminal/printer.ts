import { once } from 'node:events';
import { isColoured, Paint } from '@petstore-inventory/shared/terminal/paint';
import { safeJson } from '@petstore-inventory/shared/terminal/safe-text';
import { writeExact } from '../../src/exact-json.ts';
import type { Context, OutputStream } from '../context.ts';

/** Text is written in pieces of this size. */
const PIECE_CHARACTERS = 65_536;

/** Prints the result of a command: for people, or as JSON. */
export class Printer {
  readonly isJson: boolean;
  readonly paint: Paint;
  readonly #stdout: OutputStream;
  readonly #stderr: OutputStream;

  constructor({ stdout, stderr, env }: Pick<Context, 'stdout' | 'stderr' | 'env'>, isJson: boolean) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.isJson = isJson;
    this.paint = new Paint(!isJson && isColoured(stdout, env));
  }

  /** Prints a text, or with `--json` the value on one line. */
  async print(value: object, text: string): Promise<void> {
    await this.#write(`${this.isJson ? jsonOf(value) : text}\n`);
  }

  /** Prints lines; waits for a slow reader. */
  async lines(lines: Iterable<string>): Promise<void> {
    let piece = '';
    for (const line of lines) {
      piece += `${line}\n`;
      if (piece.length < PIECE_CHARACTERS) continue;
      await this.#write(piece);
      piece = '';
    }
    await this.#write(piece);
  }

  /** Prints a list: one JSON value per line with `--json`, otherwise the lines for people. */
  async list(values: readonly object[], lines: () => Iterable<string>): Promise<void> {
    await this.lines(this.isJson ? jsonLines(values) : lines());
  }

  /**
   * Prints the first part of a list, and says that there is more: to programs on standard error.
   * @param isChosen Whether the caller gave the limit, so that a program knows of it.
   */
  async part<T extends object>(
    values: readonly T[],
    { most, isChosen }: { readonly most: number; readonly isChosen: boolean },
    lines: (shown: readonly T[]) => Iterable<string>,
  ): Promise<void> {
    const shown = values.slice(0, most);
    await this.list(shown, () => lines(shown));
    if (values.length <= most) return;
    const more = 'There are more; --limit shows more of them, --all shows all.\n';
    if (!this.isJson) await this.#write(more);
    else if (!isChosen) this.#stderr.write(more);
  }

  async #write(text: string): Promise<void> {
    if (text !== '' && !this.#stdout.write(text)) await once(this.#stdout, 'drain');
  }
}

/** JSON with exact petIds that a terminal can show. */
export function jsonOf(value: object): string {
  return safeJson(writeExact(value));
}

function* jsonLines(values: readonly object[]): Generator<string> {
  for (const value of values) yield jsonOf(value);
}
