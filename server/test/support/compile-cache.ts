import module from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Tests run in several processes, and start others. The cache saves each from stripping the types of the whole
 * service again.
 */
const folder = fileURLToPath(new URL('../../../node_modules/.cache/compile', import.meta.url));
process.env.NODE_COMPILE_CACHE ??= folder;
module.enableCompileCache(folder);
