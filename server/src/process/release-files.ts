import { readFileSync } from 'node:fs';
import { extname } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { serviceUnavailable } from '../domain/errors.ts';

/** Files inside a single-file executable by their names; empty in a checkout and in a package. */
const embedded = new Map<string, string>();

/** The entry of a package names its other files by hashes of their contents, so another release has another one. */
const requireSameRelease = sameContents(new URL('./main.js', import.meta.url));

/** Called by the entry of an executable, with the paths under which its files can be read. */
export function embedFiles(paths: Readonly<Record<string, string>>): void {
  for (const [name, path] of Object.entries(paths)) embedded.set(name, path);
}

/** Whether the service is a single-file executable. */
export function isExecutable(): boolean {
  return embedded.size > 0;
}

/**
 * The path of a file or folder that a release has besides its code.
 * @param name Relative to the folder above `src`.
 */
export function releaseFile(name: string): string {
  return embedded.get(name) ?? fileURLToPath(new URL(`../../${name}`, import.meta.url));
}

/** The files of an executable below a folder, by their path from there. `undefined`: this is no executable. */
export function embeddedFolder(name: string): ReadonlyMap<string, string> | undefined {
  if (!isExecutable()) return undefined;
  const prefix = `${name}/`;
  const files = [...embedded].filter(([file]) => file.startsWith(prefix));
  return new Map(files.map(([file, path]) => [file.slice(prefix.length), path]));
}

/**
 * The module of a thread, in the folder of the module that starts it: TypeScript in a checkout, JavaScript in a package. In an
 * executable all modules are in the folder of its entry.
 * @param from `import.meta.url` of that module.
 * @throws ApiError when another release has replaced the files meanwhile: its thread would not fit this process.
 */
export function workerModule(name: string, from: string): URL {
  requireSameRelease();
  return new URL(`./${name}${extname(from) || '.js'}`, from);
}

/** Returns a check that throws when a file has other contents than now. Nothing is checked where there is no such file. */
export function sameContents(file: URL): () => void {
  const atStart = textOf(file);
  return () => {
    if (atStart !== undefined && textOf(file) !== atStart)
      throw serviceUnavailable('The files of this service were replaced by another release; restart it.');
  };
}

function textOf(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
