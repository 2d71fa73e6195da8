import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('..', import.meta.url));
/** The modules that begin a thread, relative to the folder of the server. */
export const THREADS = globSync('src/**/*-worker.ts', { cwd: SERVER });
const PROGRAM = 'src/cli/program.ts';
/** What a command loads, what a service on SQLite loads in its main thread, which imports some of it late, and each other thread. */
const LOADED_TOGETHER = [
  [PROGRAM],
  [
    PROGRAM,
    'src/cli/serve.ts',
    'src/listen/node.ts',
    'src/store/sqlite/store.ts',
    'src/store/sqlite/admin/engine.ts',
  ],
  ...THREADS.map((thread) => [thread]),
];

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/**
 * Options of a bundler that put what the same threads load at their start into one file. Otherwise each import that is late
 * splits what is loaded together anyway: 114 files instead of 49, 2 MB, and a fifth of the CPU time of a start.
 */
export function inParts(): object {
  /** All modules that each list of them loads. */
  let reached: readonly ReadonlySet<string>[] | undefined;

  /** The part of a module. `null`: no thread loads it at its start. */
  function partOf(id: string, modules: Modules): string | null {
    reached ??= LOADED_TOGETHER.map((names) => {
      const found = new Set(names.map((name) => join(SERVER, name)));
      // A set also returns what is added while it is read.
      for (const each of found)
        for (const to of modules.getModuleInfo(each)?.importedIds ?? []) found.add(to);
      return found;
    });
    // What a thread does is in none, because others load its part too.
    if (THREADS.includes(relative(SERVER, id))) return null;
    const threads = reached.flatMap((found, thread) => (found.has(id) ? [thread] : []));
    return threads.length === 0 ? null : `part-${threads.join('-')}`;
  }

  return { includeDependenciesRecursively: false, groups: [{ name: partOf, debugName: 'parts' }] };
}
