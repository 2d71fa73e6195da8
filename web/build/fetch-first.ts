import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const OWN = fileURLToPath(new URL('../src/loading/fetch-first.ts', import.meta.url));

/** Replaces the function with which Vite imports code later. */
export function fetchFirst(): Plugin {
  return {
    name: 'fetch-first',
    enforce: 'pre',
    apply: 'build',
    load: {
      filter: { id: /vite\/preload-helper\.js$/ },
      handler: () => `export { fetchFirst as __vitePreload } from ${JSON.stringify(OWN)};`,
    },
  };
}
