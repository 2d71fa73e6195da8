const CONFIGURES_SERVICE_OR_RUNNER = /^(?:PETSTORE_|NODE_(?!COMPILE_CACHE$)|PORT$|BUN_)/;

/**
 * The machine's variables for a child process, without those that configure the service or mark a process as a test.
 * The compile cache stays: without it, each child strips the types of the whole service, in most of its start-up time.
 */
export function machineEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !CONFIGURES_SERVICE_OR_RUNNER.test(name));
  return Object.fromEntries(kept);
}
