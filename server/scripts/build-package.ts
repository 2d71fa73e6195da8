import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { buildPages } from './build-pages.ts';

/*
 * Makes what the package has besides `bin`: a bundle of our own code, because a process with several hundred modules takes 15 MB
 * more and half as much CPU time again for its start, and the pages of the dashboard. Packages of others stay outside: npm
 * installs them, and an operator can update one.
 */
const SERVER = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(SERVER, '..');
const DIST = join(SERVER, 'dist');
/** As deep as `src/domain`, from where the code finds its other files. */
const FOLDER = join(DIST, 'src/service');
const OWN = /^(?:[./]|src\/|@petstore-inventory\/)/;
const THREADS = globSync('src/**/*-worker.ts', { cwd: SERVER });
/** What a service on SQLite loads in its main thread, which imports some of it late, and in each other thread. */
const LOADED_TOGETHER = [
  [
    'src/cli/program.ts',
    'src/cli/serve.ts',
    'src/listen/node.ts',
    'src/store/sqlite/store.ts',
    'src/store/sqlite/admin/engine.ts',
  ],
  ...THREADS.map((thread) => [thread]),
];
/** All modules that each list of them loads. */
let reached: readonly ReadonlySet<string>[] | undefined;

for (const folder of ['dist', 'web']) rmSync(join(SERVER, folder), { recursive: true, force: true });
const { output } = await build({
  cwd: SERVER,
  input: ['src/main.ts', ...THREADS],
  platform: 'node',
  external: (id) => !OWN.test(id),
  // An import that loads on one path what another loads always is no fault.
  checks: { ineffectiveDynamicImport: false },
  write: false,
  preserveEntrySignatures: false,
  // Names stay, for the traces of errors in the log.
  output: {
    format: 'esm',
    minify: { compress: true, mangle: false, codegen: true },
    // Otherwise each import that is late splits what is loaded together anyway: 114 files instead of 49, and 2 MB.
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: partOf }] },
  },
});
mkdirSync(FOLDER, { recursive: true });
for (const chunk of output)
  if (chunk.type === 'chunk') writeFileSync(join(FOLDER, chunk.fileName), inAscii(chunk.code));
cpSync(join(SERVER, 'sample'), join(DIST, 'sample'), { recursive: true });

await buildPages();
cpSync(join(ROOT, 'web/dist'), join(SERVER, 'web/dist'), { recursive: true });

/** The part of a module: that of all that the same threads load. `null`: no thread loads it at its start. */
function partOf(
  id: string,
  modules: { getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null },
): string | null {
  reached ??= LOADED_TOGETHER.map((names) => {
    const found = new Set(names.map((name) => join(SERVER, name)));
    // A set also returns what is added while it is read.
    for (const each of found) for (const to of modules.getModuleInfo(each)?.importedIds ?? []) found.add(to);
    return found;
  });
  // What a thread does is in none, because others load its part too.
  if (THREADS.includes(relative(SERVER, id))) return null;
  const threads = reached.flatMap((found, thread) => (found.has(id) ? [thread] : []));
  return threads.length === 0 ? null : `part-${threads.join('-')}`;
}

/** V8 keeps the text of each module, with two bytes for every character if one of them needs two. */
function inAscii(code: string): string {
  return code.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
