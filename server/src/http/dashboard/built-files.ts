import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../../domain/errors.ts';
import { type Variants, variantOf } from '../request/variants.ts';

/** Where `npm run build --workspace web` writes. */
const OWN_BUILD = fileURLToPath(new URL('../../../../web/dist', import.meta.url));
const INDEX = 'index.html';
const DOCS = 'docs.html';
const COMPRESSED = /\.(?:br|gz)$/;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

export interface BuiltFile {
  readonly contentType: string;
  readonly variants: Variants;
}

/** The files of a build, read one time: no request reaches the file system. */
export interface BuiltFiles {
  /** The page that starts the dashboard. */
  readonly index: string;
  /** The page of the documentation. */
  readonly docs?: BuiltFile | undefined;
  /** The others by their path, such as `/assets/index-x7Qa.js`. */
  readonly files: ReadonlyMap<string, BuiltFile>;
}

/**
 * Reads the files of a build.
 * @param folder Empty: that of this checkout or release.
 * @returns `undefined` if this checkout has no build.
 * @throws OperatorError when a given folder has none.
 */
export function readBuild(folder: string): BuiltFiles | undefined {
  const root = folder === '' ? OWN_BUILD : folder;
  if (!existsSync(join(root, INDEX))) {
    if (folder === '') return undefined;
    throw new OperatorError(
      `PETSTORE_DASHBOARD: ${folder} has no ${INDEX}; name the folder of a built dashboard, or leave it empty.`,
    );
  }
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const all = new Set(names);
  const files = new Map<string, BuiltFile>();
  for (const name of names) {
    if (name === INDEX || name === DOCS || COMPRESSED.test(name)) continue;
    const path = `/${name.split(sep).join('/')}`;
    files.set(path, readFile(join(root, name), all, name));
  }
  const docs = all.has(DOCS) ? readFile(join(root, DOCS), all, DOCS) : undefined;
  return { index: readFileSync(join(root, INDEX), 'utf8'), docs, files };
}

/** A file with the compressed files beside it. */
function readFile(file: string, names: ReadonlySet<string>, name: string): BuiltFile {
  return {
    contentType: TYPES[extname(name)] ?? 'application/octet-stream',
    variants: {
      identity: variantOf(readFileSync(file)),
      ...(names.has(`${name}.br`) && { br: variantOf(readFileSync(`${file}.br`)) }),
      ...(names.has(`${name}.gz`) && { gzip: variantOf(readFileSync(`${file}.gz`)) }),
    },
  };
}
