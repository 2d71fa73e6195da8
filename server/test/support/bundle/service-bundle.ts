import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'rolldown';
import { inParts, THREADS } from '../../../scripts/parts.ts';

const SERVER = fileURLToPath(new URL('../../../', import.meta.url));
/** At the same place in each run, for the compile cache. */
const FOLDER = fileURLToPath(new URL('../../../../node_modules/.cache/service', import.meta.url));
const RELEASE_FILES = join(SERVER, 'src/process/release-files.ts');

/** The files that a release has besides its code stay where they are. */
const releaseFiles: Plugin = {
  name: 'release-files',
  transform: {
    filter: { id: RELEASE_FILES },
    handler: (code) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(RELEASE_FILES).href)),
  },
};

/** The launcher of the service leaves out the languages of Zod too. */
const withoutLanguages: Plugin = {
  name: 'without-languages',
  load: {
    filter: { id: /\/zod\/v4\/locales\/index\.js$/ },
    handler: () => '',
  },
};

/**
 * Makes a bundle of the service and returns its folder. It starts in half the time of the source, which is several hundred
 * modules, and the tests start it several hundred times.
 */
export async function bundleService(): Promise<string> {
  const { output } = await build({
    cwd: SERVER,
    input: ['src/main.ts', 'test/support/command-process.ts', ...THREADS],
    platform: 'node',
    plugins: [releaseFiles, withoutLanguages],
    logLevel: 'warn',
    // `pg` tries it, and does without.
    external: ['pg-native'],
    write: false,
    checks: { ineffectiveDynamicImport: false },
    preserveEntrySignatures: false,
    output: { format: 'esm', keepNames: true, codeSplitting: inParts() },
  });
  mkdirSync(FOLDER, { recursive: true });
  const contents = new Map(output.map((file) => [file.fileName, 'code' in file ? file.code : file.source]));
  // Without it each process parses the files once more, only to find that they are modules.
  contents.set('package.json', '{ "type": "module" }');
  for (const [name, content] of contents) replace(join(FOLDER, name), String(content));
  for (const name of readdirSync(FOLDER)) if (!contents.has(name)) rmSync(join(FOLDER, name));
  return FOLDER;
}

/** Processes of another run may be reading the file. */
function replace(file: string, content: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return;
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}
