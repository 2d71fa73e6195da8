import module from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Each of many test files runs in a process of its own, and starts others: none strips the types of the whole service
 * anew.
 */
const folder = fileURLToPath(new URL('../../../node_modules/.cache/compile', import.meta.url));
process.env.NODE_COMPILE_CACHE ??= folder;
module.enableCompileCache(folder);
