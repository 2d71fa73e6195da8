import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Variable of the environment with the folder of the bundle that all test files of a run share. */
export const BUNDLE_VARIABLE = 'TEST_SERVICE';

/** The service as it is in a checkout. */
export const SOURCE = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

const folder = process.env[BUNDLE_VARIABLE];

/** What Node runs as the service: the bundle of the run, or without a run the source. */
export const MAIN = folder === undefined ? SOURCE : join(folder, 'main.js');

/** What Node runs for the commands of `runShared`. */
export const COMMAND_PROCESS =
  folder === undefined
    ? fileURLToPath(new URL('../command-process.ts', import.meta.url))
    : join(folder, 'command-process.js');
