import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { OperatorError } from '../../domain/errors.ts';
import { embeddedFolder, isExecutable, releaseFile } from '../../process/release-files.ts';
import { unpackedVariant, type Variants, variantOf } from '../request/variants.ts';

/** Where `npm run build --workspace web` writes. */
const OWN_BUILD = '../web/dist';
const INDEX = 'index.html';
/** Pages of the documentation: `docs.html` is at `/docs`, `docs/orders.html` at `/docs/orders`. */
const DOCS = /^(docs(?:\/[\w-]+)?)\.html$/;
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

/** The files of a build by the paths that it had at the start: no other path of a request reaches the file system. */
export interface BuiltFiles {
  /** The page that starts the dashboard. */
  readonly index: string;
  /** The pages of the documentation by their path, such as `/docs/orders`. */
  readonly docs: ReadonlyMap<string, BuiltFile>;
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
  const paths =
    folder === '' ? (embeddedFolder(OWN_BUILD) ?? pathsIn(releaseFile(OWN_BUILD))) : pathsIn(folder);
  const index = paths.get(INDEX);
  if (index === undefined) {
    if (folder === '') return undefined;
    throw new OperatorError(
      `PETSTORE_DASHBOARD: ${folder} has no ${INDEX}; name the folder of a built dashboard, or leave it empty.`,
    );
  }
  const docs = new Map<string, BuiltFile>();
  const files = new Map<string, BuiltFile>();
  // A build has its text files only compressed.
  for (const name of new Set([...paths.keys()].map((path) => path.replace(COMPRESSED, '')))) {
    const [, page] = DOCS.exec(name) ?? [];
    if (page !== undefined) docs.set(`/${page}`, builtFile(name, paths));
    else if (name !== INDEX) files.set(`/${name}`, builtFile(name, paths));
  }
  return { index: readFileSync(index, 'utf8'), docs, files };
}

/** The files of a folder, by their path from there. */
function pathsIn(root: string): ReadonlyMap<string, string> {
  if (!existsSync(join(root, INDEX))) return new Map();
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map((entry) => `${entry.parentPath}${sep}${entry.name}`);
  // By its length: functions of paths, called for some hundred files, are compiled again by the optimizing compiler of V8,
  // which takes 5 MB when it runs for the first time.
  const before = join(root, sep).length;
  return new Map(paths.map((path) => [path.slice(before).replaceAll(sep, '/'), path]));
}

/** A file and its compressed forms, or those alone. */
function builtFile(name: string, paths: ReadonlyMap<string, string>): BuiltFile {
  const variant = (suffix: string) => {
    const path = paths.get(name + suffix);
    return path === undefined ? undefined : variantOf(readerOf(path));
  };
  const [br, gzip] = [variant('.br'), variant('.gz')];
  const identity = gzip ? unpackedVariant(gzip) : variant('');
  if (!identity) throw new Error(`${name} is not among the files.`);
  return {
    contentType: TYPES[extname(name)] ?? 'application/octet-stream',
    variants: { identity, ...(br && { br }), ...(gzip && { gzip }) },
  };
}

/**
 * What reads a file, once. The file is open until then, so its bytes are those of the start, also after another release was
 * installed in its place.
 */
function readerOf(path: string): () => Uint8Array<ArrayBuffer> {
  // Windows replaces no folder with an open file. An executable has its files inside.
  if (process.platform === 'win32' || isExecutable()) return () => readFileSync(path);
  const descriptor = openSync(path, 'r');
  return () => {
    const bytes = new Uint8Array(fstatSync(descriptor).size);
    const length = readSync(descriptor, bytes, 0, bytes.length, 0);
    if (length !== bytes.length) throw new Error(`${path} has ${length} of ${bytes.length} bytes.`);
    closeSync(descriptor);
    return bytes;
  };
}
