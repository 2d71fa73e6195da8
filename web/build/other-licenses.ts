import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Packages of which a build has a file, or a module in a worker alone, so Vite does not see them. */
const PACKAGES = [
  '@scalar/fastify-api-reference',
  '@fontsource-variable/inter',
  'barcode-detector',
  'zxing-wasm',
];

/** Adds licenses to the list that Vite writes. */
export function otherLicenses(fileName: string): Plugin {
  return {
    name: 'other-licenses',
    apply: 'build',
    writeBundle: ({ dir = '' }) => {
      for (const name of PACKAGES) {
        const folder = folderOf(name);
        const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        const text = readFileSync(join(folder, 'LICENSE'), 'utf8').trim();
        appendFileSync(join(dir, fileName), `\n## ${name} - ${version} (${license})\n\n${text}\n`);
      }
    },
  };
}

/** Not every package lets its `package.json` be resolved. */
function folderOf(name: string): string {
  const places = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const folder = places.map((place) => join(place, name)).find(existsSync);
  if (folder === undefined) throw new Error(`${name} is not installed.`);
  return folder;
}
