import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/[\\/]$/, '');

/** The folders of all tests. What belongs to no package, such as documentation and releases, is in `test`. */
export const TEST_FOLDERS: readonly string[] = ['server/test', 'client/test', 'web/test', 'test'];

/**
 * The files of a file or a folder that end with `.test.ts`, relative to the root.
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

/**
 * The test files that words of the command line name, and whether their long tests run: of files all tests, of folders, or of
 * everything without a name, those that are not long. With `--long`, all tests of the files that have long ones.
 * @throws Error where there are none, and for files beside folders.
 */
export function testsOfWords(words: readonly string[]): { files: readonly string[]; isLong: boolean } {
  const names = words.filter((word) => word !== '--long');
  const found = [...new Set((names.length > 0 ? names : TEST_FOLDERS).flatMap(testsOf))];
  if (words.includes('--long')) {
    const files = found.filter(hasLongTests);
    if (files.length === 0) throw new Error(`There are no long tests in ${names.join(' ')}.`);
    return { files, isLong: true };
  }
  const isLong = names.some((name) => name.endsWith('.ts'));
  if (isLong && !names.every((name) => name.endsWith('.ts')))
    throw new Error('Name files, of which all tests run, or folders, of which long tests do not.');
  return { files: found, isLong };
}

/** Whether some tests of a file are long. */
export function hasLongTests(file: string): boolean {
  return readFileSync(join(ROOT, file), 'utf8').includes("/long-test.ts'");
}
