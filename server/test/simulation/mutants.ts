import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkPackages } from '../../../test/release/link-packages.ts';
import { type Mutation, mutated } from '../mutate/mutation.ts';
import { type Seeds, simulate } from './simulate.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LEFT_OUT = new Set(['node_modules', '.git', 'data', 'web', 'dist']);

/** A copy of the service in which one mutation after the other is simulated. */
export class Mutants {
  readonly #folder: string;

  static async make(): Promise<Mutants> {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-mutants-'));
    await cp(ROOT, folder, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
    linkPackages(folder);
    return new Mutants(folder);
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns what the simulation prints: the first seed that finds the mutation, or that none does. */
  async simulate(mutation: Mutation, seeds: Seeds): Promise<string> {
    const path = join(this.#folder, mutation.file);
    const source = await readFile(path, 'utf8');
    await writeFile(path, mutated(source, mutation));
    try {
      return await simulate(seeds, this.#folder);
    } finally {
      await writeFile(path, source);
    }
  }

  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
