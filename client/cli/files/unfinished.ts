import { createHash } from 'node:crypto';
import { readdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { readableTime, thousands } from '@petstore-inventory/shared/terminal/texts';
import { stateFolder } from '../account/config-file.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';
import { Journal } from './journal.ts';

/** The identity of an import: the same rows for the same service in the same way, whatever the name of the file. */
interface ImportIdentity {
  readonly url: string;
  readonly digest: string;
  readonly isAdding: boolean;
}

/** The unfinished imports of this user for one service. */
export class UnfinishedImports {
  readonly #folder: string;
  readonly #url: string;

  constructor(context: Context, url: string) {
    this.#folder = join(stateFolder(context), 'imports');
    this.#url = url;
  }

  /** Where the record of an import is. */
  recordOf({ url, digest, isAdding }: ImportIdentity): string {
    const name = createHash('sha256').update(JSON.stringify({ url, digest, isAdding })).digest('hex');
    return join(this.#folder, `${name}.ndjson`);
  }

  /** The unfinished import of a file, whatever the file has now. */
  ofFile(file: string): Journal | undefined {
    const path = pathOf(file);
    return this.#all().find(({ begin }) => begin.path === path);
  }

  /** Unfinished imports of other files that add units. */
  addingOthers(file: string): readonly Journal[] {
    const path = pathOf(file);
    return this.#all().filter(({ begin }) => begin.isAdding && begin.path !== path);
  }

  /** Records that can be read. A damaged one concerns only its own import, which reports it. */
  #all(): Journal[] {
    let names: string[];
    try {
      names = readdirSync(this.#folder).filter((name) => name.endsWith('.ndjson'));
    } catch {
      return [];
    }
    const journals = names.map((name) => readable(join(this.#folder, name)));
    return journals.filter((journal) => journal !== undefined).filter(({ begin }) => begin.url === this.#url);
  }
}

/** The path without links. A missing file has one too, because its import can be finished. */
export function pathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}

/** When an import began, and how far it came. */
export function describeUnfinished({ begin, done, total }: Journal): string {
  return `An import of ${safe(begin.path)}, begun ${readableTime(begin.begunAt)}, was interrupted: ${thousands(done)} of ${thousands(total)} changes have a result.`;
}

/** @throws CommandFailure if an import would add again what the unfinished import of its file has added. */
export function requireSameImport(unfinished: Journal | undefined, isAdding: boolean): void {
  // Quantities that are set can be compared with the stock.
  if (!unfinished || !(isAdding || unfinished.begin.isAdding)) return;
  throw new CommandFailure(
    [
      `${describeUnfinished(unfinished)} The file or --add has changed since. Nothing was changed now.`,
      'Add --resume to finish that import as the file was then; put corrections into another file.',
      'Add --fresh to forget it and import the whole file as it is now, also the rows that have a result.',
    ].join('\n'),
    EXIT.refused,
  );
}

function readable(record: string): Journal | undefined {
  try {
    return Journal.read(record);
  } catch (error) {
    if (error instanceof CommandFailure) return undefined;
    throw error;
  }
}
