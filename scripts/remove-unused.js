import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Removes what packages bring and this repository never loads, an eighth of `node_modules`. It runs after an installation in the
 * root, with any Node from 20 on.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
const modules = join(root, 'node_modules');
/** Folders and files of packages. A name that ends with `/*` is that of each package of a scope. */
const UNUSED = {
  // Other forms of the same code.
  '@mantine/*': ['cjs', 'styles'],
  '@opentelemetry/*': ['build/esnext'],
  '@tanstack/*': ['build/legacy', 'src'],
  'barcode-detector': ['dist/cjs', 'dist/iife'],
  'bwip-js': [
    'barcode.ps',
    'dist/bwip-js.js',
    'dist/bwip-js-min.js',
    'dist/bwip-js-node.js',
    'dist/bwip-js-rn.mjs',
    'src',
  ],
  'dom-helpers': ['cjs'],
  hono: ['dist/cjs'],
  recheck: ['lib/browser.js'],
  zod: ['src'],
  // Parts for other purposes.
  '@redocly/cli': ['lib/chunks/redoc.standalone.js'],
  '@opentelemetry/semantic-conventions': [
    ...['experimental_attributes', 'experimental_metrics', 'index-incubating'].flatMap((name) =>
      ['.cjs', '.mjs', '.d.cts', '.d.mts'].map((type) => `dist/${name}${type}`),
    ),
  ],
  ajv: ['lib'],
  'axe-core': ['axe.js', 'locales'],
  'highlight.js': ['es', 'scss', 'styles'],
  'playwright-core': ['lib/vite'],
  'react-dom': [
    ...['browser', 'bun', 'edge', 'node'].flatMap((place) => reactDom(`server.${place}`)),
    ...['browser', 'node'].flatMap((place) => reactDom(`server-legacy.${place}`)),
    'cjs/react-dom-profiling.development.js',
    'cjs/react-dom-profiling.profiling.js',
  ],
  yaml: ['browser'],
  'zxing-wasm': ['cjs', 'full', 'iife', 'miniprogram', 'writer'].map((form) => `dist/${form}`),
  // Tests and texts.
  bintrees: ['test'],
  csstype: ['index.js.flow'],
  'fast-uri': ['test'],
  pino: ['docs', 'test'],
  'thread-stream': ['test'],
  undici: ['docs'],
};

// 67 MB of C++ headers, which only the compilation of native add-ons needs: there are none.
const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
for (const name of Object.keys(optionalDependencies)) remove(name, 'include');
for (const [name, parts] of Object.entries(UNUSED))
  for (const each of packagesOf(name)) for (const part of parts) remove(each, part);
// An installation of the lockfile alone makes no packages.
if (existsSync(modules)) removeSourceMaps(modules);

/** 28 MB: no Node here reads them, and the dashboard is built without them. */
function removeSourceMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Not the links to the packages of this repository.
    if (entry.isDirectory()) removeSourceMaps(path);
    else if (entry.name.endsWith('.map')) rmSync(path, { force: true });
  }
}

function packagesOf(name) {
  if (!name.endsWith('/*')) return [name];
  const scope = name.slice(0, -2);
  const folder = join(modules, scope);
  return existsSync(folder) ? readdirSync(folder).map((each) => `${scope}/${each}`) : [];
}

function remove(name, part) {
  rmSync(join(modules, name, part), { recursive: true, force: true });
}

function reactDom(name) {
  return ['development', 'production'].map((mode) => `cjs/react-dom-${name}.${mode}.js`);
}
