import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildPages } from './build-pages.ts';

/*
 * Makes one file that is the service with its command line, its pages and Bun. Bun names modules by their place below
 * the folder of all entries, so the entry and a module per thread are written side by side.
 */
const SERVER = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(SERVER, '..');
const BUN = join(ROOT, 'node_modules/.bin/bun');
const ASSETS = ['sample/pets.csv', '../web/dist/**/*'];

const { values } = parseArgs({
  options: {
    outfile: { type: 'string', default: join(ROOT, 'dist/petstore-server') },
    // Such as bun-linux-arm64. Bun downloads the runtime of another platform than this one.
    target: { type: 'string' },
  },
});

await buildPages();
mkdirSync(dirname(resolve(values.outfile)), { recursive: true });
// A signal from a terminal ends Bun too; then this process removes what both have written.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => {});
const folder = mkdtempSync(join(tmpdir(), 'petstore-entries-'));
try {
  const entries = [writeEntry(), ...globSync('src/**/*-worker.ts', { cwd: SERVER }).map(writeWorker)];
  const target = values.target === undefined ? [] : [`--target=${values.target}`];
  const words = [
    'build',
    '--compile',
    '--minify-syntax',
    '--minify-whitespace',
    '--sourcemap=none',
    // Otherwise it reads these files in the folder where it is started, and runs code that bunfig.toml names.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    ...target,
  ];
  // Bun begins the executable in the folder where it runs, and leaves it there if it is interrupted.
  const outfile = resolve(values.outfile);
  execFileSync(BUN, [...words, ...entries, '--outfile', outfile], { stdio: 'inherit', cwd: folder });
} finally {
  rmSync(folder, { recursive: true });
}

/** The entry first makes the files known, because modules read them while they are loaded. */
function writeEntry(): string {
  const names = globSync(ASSETS, { cwd: SERVER, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(SERVER, join(entry.parentPath, entry.name)));
  const imports = names.map((name, i) => `import file${i} from ${from(name)} with { type: 'file' };`);
  const files = names.map((name, i) => `  ${JSON.stringify(name)}: file${i},`);
  return write('petstore-server.ts', [
    ...imports,
    `import { embedFiles } from ${from('src/process/release-files.ts')};`,
    'embedFiles({',
    ...files,
    '});',
    `await import(${from('src/main.ts')});`,
  ]);
}

function writeWorker(name: string): string {
  return write(basename(name), [`import ${from(name)};`]);
}

function from(name: string): string {
  return JSON.stringify(join(SERVER, name));
}

function write(name: string, lines: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
