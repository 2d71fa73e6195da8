import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/[\\/]$/, '');

/** The folders of all tests. What belongs to no package, such as documentation and releases, is in `test`. */
export const TEST_FOLDERS: readonly string[] = ['server/test', 'client/test', 'web/test', 'test'];

/**
 * The daily tests of a file or a folder, relative to the root.
 * @throws Error where there are none: a misspelt name must not look like a success.
 */
export function testsOf(name: string): readonly string[] {
  const isFile = name.endsWith('.ts');
  const found = isFile ? [name] : globSync(`${name}/**/*.test.ts`, { cwd: ROOT }).toSorted();
  if (isFile ? existsSync(join(ROOT, name)) : found.length > 0) return found;
  throw new Error(
    `There are no tests in ${name}. Paths begin at the root of the repository, such as web/test.`,
  );
}

/** Whether some tests of a file are long. */
export function hasLongTests(file: string): boolean {
  return readFileSync(join(ROOT, file), 'utf8').includes("/long-test.ts'");
}
