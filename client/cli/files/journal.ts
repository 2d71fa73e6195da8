import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { parseExact, writeExact } from '../../src/exact-json.ts';
import { stateFolder } from '../account/config-file.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';
import type { Explanation } from '../stock/change-options.ts';
import type { PlannedChange, RefusedRow } from './plan.ts';
import { writePrivateFile } from './whole-file.ts';

const FORMAT = 1;

/** What an import is: the same file for the same service in the same way. */
export interface ImportIdentity {
  readonly url: string;
  readonly digest: string;
  readonly isAdding: boolean;
}

/** Changes that are sent together, under a key: sent again, they are made at most once. */
export interface Chunk {
  readonly key: string;
  readonly changes: readonly PlannedChange[];
}

export interface ChunkResult {
  /** The key of the chunk. Two processes that continue the same import write the result of a chunk twice. */
  readonly key: string;
  readonly applied: number;
  readonly refused: readonly RefusedRow[];
}

interface Begin {
  readonly format: number;
  readonly begunAt: string;
  /** A continued import has that of its beginning: the service refuses a key with another body. */
  readonly explanation: Explanation;
  readonly refused: readonly RefusedRow[];
  readonly unchanged: number;
}

/**
 * The record of an import that is being applied, on disk before the first change is sent. Each line is a JSON value: the
 * beginning, the chunks, then the result of each chunk. A later process continues it.
 */
export class Journal {
  readonly begin: Begin;
  readonly chunks: readonly Chunk[];
  readonly #results: Map<string, ChunkResult>;
  readonly #file: string;

  private constructor(file: string, begin: Begin, chunks: readonly Chunk[], results: readonly ChunkResult[]) {
    this.#file = file;
    this.begin = begin;
    this.chunks = chunks;
    this.#results = new Map(results.map((result) => [result.key, result]));
  }

  /** The unfinished import of the same file; `undefined` without one. */
  static find(context: Context, identity: ImportIdentity): Journal | undefined {
    const file = journalFile(context, identity);
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new CommandFailure(`${file} cannot be read (${(error as Error).message}).`, EXIT.failed, error);
    }
    // Without its line feed, the last line was not written whole; its chunk is sent again.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole));
    const [begin, ...records] = recordsOf(whole);
    if (begin?.format !== FORMAT) {
      throw new CommandFailure(
        `${file} is damaged, or of another release of petstore. Add --fresh to plan the import again.`,
      );
    }
    const chunks = records.filter((record): record is typeof record & Chunk => record.changes !== undefined);
    const results = records.filter(
      (record): record is typeof record & ChunkResult => record.applied !== undefined,
    );
    return new Journal(file, begin, chunks, results);
  }

  /** Begins the record of an import. */
  static start(
    context: Context,
    identity: ImportIdentity,
    plan: { readonly chunks: readonly (readonly PlannedChange[])[] } & Pick<
      Begin,
      'explanation' | 'refused' | 'unchanged'
    >,
  ): Journal {
    const file = journalFile(context, identity);
    const { explanation, refused, unchanged } = plan;
    const begunAt = new Date().toISOString();
    const begin: Begin = { format: FORMAT, begunAt, explanation, refused, unchanged };
    const name = randomBytes(12).toString('hex');
    const chunks = plan.chunks.map((changes, i) => ({ key: `import-${name}-${i}`, changes }));
    if (existsSync(file)) {
      throw new CommandFailure(
        'Another process has begun to import this file. This one changed nothing. Run the command again when the other has ended.',
        EXIT.refused,
      );
    }
    writePrivateFile(
      file,
      [begin, ...chunks].map((record) => `${writeExact(record)}\n`),
    );
    return new Journal(file, begin, chunks, []);
  }

  get results(): readonly ChunkResult[] {
    return [...this.#results.values()];
  }

  /** Chunks without a result. */
  get open(): readonly Chunk[] {
    return this.chunks.filter(({ key }) => !this.#results.has(key));
  }

  get total(): number {
    return this.chunks.reduce((sum, { changes }) => sum + changes.length, 0);
  }

  /** Changes with a result. */
  get done(): number {
    return this.results.reduce((sum, { applied, refused }) => sum + applied + refused.length, 0);
  }

  add(result: ChunkResult): void {
    this.#results.set(result.key, result);
    // Another process that continued the same import removes the file at its end.
    if (existsSync(this.#file)) appendFileSync(this.#file, `${writeExact(result)}\n`);
  }

  /** Forgets the import. */
  remove(): void {
    rmSync(this.#file, { force: true });
  }

  /** Forgets an unfinished import, also one that cannot be read. */
  static forget(context: Context, identity: ImportIdentity): void {
    rmSync(journalFile(context, identity), { force: true });
  }
}

/** The records of a journal; none if it is damaged. */
function recordsOf(text: string): readonly (Begin & Partial<Chunk & ChunkResult>)[] {
  try {
    const lines = text.trimEnd().split('\n');
    return lines.map((line) => parseExact(line) as Begin & Partial<Chunk & ChunkResult>);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function journalFile(context: Context, identity: ImportIdentity): string {
  const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex');
  return join(stateFolder(context), 'imports', `${name}.ndjson`);
}
