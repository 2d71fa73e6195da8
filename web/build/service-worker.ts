import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Plugin, transformWithOxc } from 'vite';

const SOURCE = fileURLToPath(new URL('../src/offline/service-worker.ts', import.meta.url));
const ENTRIES = ['dashboard', 'first-rows'];
/** Rare, or large: they are kept when they are used. */
const LEFT_OUT = /\.wasm$|\.txt$|-(?:cyrillic|greek|vietnamese)[\w-]*\.woff2$/;
/** Files besides those of the bundle. */
const PUBLIC = [
  '/favicon.svg',
  '/manifest.webmanifest',
  '/icon-192.png',
  '/icon-512.png',
  '/icon-maskable-512.png',
];

interface Bundled {
  readonly type: string;
  readonly name?: string | undefined;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly viteMetadata?:
    | { readonly importedCss: Set<string>; readonly importedAssets: Set<string> }
    | undefined;
}

/** Writes the service worker with the files of the dashboard, and of nothing else. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const files = [...PUBLIC, ...filesOf(bundle as Readonly<Record<string, Bundled>>)];
        const version = createHash('sha256').update(files.join()).digest('base64url').slice(0, 12);
        const { code } = await transformWithOxc(readFileSync(SOURCE, 'utf8'), SOURCE, { sourcemap: false });
        const build = JSON.stringify({ version, files });
        this.emitFile({
          type: 'asset',
          fileName: 'service-worker.js',
          source: code.replace(/(['"])__BUILD__\1/, () => `'${build}'`),
        });
      },
    },
  };
}

/** The files that a dashboard loads, first or later, as their paths. */
function filesOf(bundle: Readonly<Record<string, Bundled>>): readonly string[] {
  const found = new Set<string>();
  const add = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk') return;
    for (const other of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) add(other);
    for (const other of chunk.viteMetadata?.importedCss ?? []) add(other);
    for (const other of chunk.viteMetadata?.importedAssets ?? []) add(other);
  };
  for (const [name, { isEntry, name: entry }] of Object.entries(bundle))
    if (isEntry && entry !== undefined && ENTRIES.includes(entry)) add(name);
  // Style sheets name fonts.
  for (const name of Object.keys(bundle)) if (/inter-latin[\w-]*\.woff2$/.test(name)) found.add(name);
  return [...found].filter((name) => !LEFT_OUT.test(name)).map((name) => `/${name}`);
}
