import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { parseExact, writeExact } from '../../src/exact-json.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';
import type { Explanation } from '../stock/change-options.ts';
import type { PlannedChange, RefusedRow } from './plan.ts';
import { writePrivateFile } from './whole-file.ts';

const FORMAT = 2;

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

/** What a record says about its import before the first change. */
interface Begin {
  readonly format: number;
  readonly begunAt: string;
  readonly url: string;
  /** The path of the file, without links. */
  readonly path: string;
  readonly isAdding: boolean;
  /** A continued import has that of its beginning: the service refuses a key with another body. */
  readonly explanation: Explanation;
  readonly refused: readonly RefusedRow[];
  readonly unchanged: number;
}

type Facts = Omit<Begin, 'format' | 'begunAt'>;

/**
 * The record of an import that is being applied, on disk before the first change is sent. Each line is a JSON value: the
 * beginning, the chunks, then the result of each chunk. A later process continues it.
 */
export class Journal {
  readonly begin: Begin;
  readonly chunks: readonly Chunk[];
  readonly #results: Map<string, ChunkResult>;
  /** Where it is. */
  readonly file: string;
  /** The bytes before a line that was not written whole; it goes away before the next one is written. */
  #wholeBytes: number | undefined;

  private constructor(file: string, begin: Begin, chunks: readonly Chunk[], results: readonly ChunkResult[]) {
    this.file = file;
    this.begin = begin;
    this.chunks = chunks;
    this.#results = new Map(results.map((result) => [result.key, result]));
  }

  /** The record in a file; `undefined` without one. @throws CommandFailure if it is damaged */
  static read(file: string): Journal | undefined {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new CommandFailure(`${file} cannot be read (${(error as Error).message}).`, EXIT.failed, error);
    }
    // Without its line feed, the last line was not written whole; its chunk is sent again.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const [begin, ...records] = recordsOf(whole);
    if (begin?.format !== FORMAT) {
      throw new CommandFailure(
        `${file} is damaged, or of another release of petstore, so it does not show which changes were made. ` +
          'Compare the history with the file. Then add --fresh to import the whole file.',
      );
    }
    const chunks = records.filter((record): record is typeof record & Chunk => record.changes !== undefined);
    const results = records.filter(
      (record): record is typeof record & ChunkResult => record.applied !== undefined,
    );
    const journal = new Journal(file, begin, chunks, results);
    if (whole.length < text.length) journal.#wholeBytes = Buffer.byteLength(whole);
    return journal;
  }

  /** Begins the record of an import. */
  static start(
    file: string,
    { chunks: plan, ...facts }: { readonly chunks: readonly (readonly PlannedChange[])[] } & Facts,
  ): Journal {
    const begin: Begin = { format: FORMAT, begunAt: new Date().toISOString(), ...facts };
    const name = randomBytes(12).toString('hex');
    const chunks = plan.map((changes, i) => ({ key: `import-${name}-${i}`, changes }));
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
    if (!existsSync(this.file)) return;
    if (this.#wholeBytes !== undefined) truncateSync(this.file, this.#wholeBytes);
    this.#wholeBytes = undefined;
    appendFileSync(this.file, `${writeExact(result)}\n`);
  }

  /** Forgets the import. */
  remove(): void {
    rmSync(this.file, { force: true });
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
