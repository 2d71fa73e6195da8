import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/[\\/]$/, '');

/** The folders of all tests. What belongs to no package, such as documentation and releases, is in `test`. */
export const TEST_FOLDERS: readonly string[] = ['server/test', 'client/test', 'web/test', 'test'];
