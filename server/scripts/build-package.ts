import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { buildPages } from './build-pages.ts';
import { inParts, THREADS } from './parts.ts';

/*
 * Makes what the package has besides `bin`: a bundle of our own code, because a process with several hundred modules takes 15 MB
 * more and half as much CPU time again for its start, and the pages of the dashboard. Packages of others stay outside: npm
 * installs them, and an operator can update one.
 */
const SERVER = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(SERVER, '..');
const DIST = join(SERVER, 'dist');
/** As deep as `src/process`, from where the code finds its other files. */
const FOLDER = join(DIST, 'src/service');
const OWN = /^(?:[./]|src\/|@petstore-inventory\/)/;

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
    codeSplitting: inParts(),
  },
});
mkdirSync(FOLDER, { recursive: true });
for (const chunk of output)
  if (chunk.type === 'chunk') writeFileSync(join(FOLDER, chunk.fileName), inAscii(chunk.code));
cpSync(join(SERVER, 'sample'), join(DIST, 'sample'), { recursive: true });

await buildPages();
cpSync(join(ROOT, 'web/dist'), join(SERVER, 'web/dist'), { recursive: true });

/** V8 keeps the text of each module, with two bytes for every character if one of them needs two. */
function inAscii(code: string): string {
  return code.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
