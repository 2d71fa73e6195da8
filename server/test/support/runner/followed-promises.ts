import type AsyncHooks from 'node:async_hooks';
import { createRequire } from 'node:module';

const hooks = createRequire(import.meta.url)('node:async_hooks') as typeof AsyncHooks;
const { createHook } = hooks;
const stopping: (() => void)[] = [];
let loading = 0;

/**
 * Loaded before `node:test`, whose hook follows each promise: to know the suite of a test that is declared after an `await`,
 * and the test of an error that nothing catches. It takes a sixth of the CPU time of tests with many promises.
 */
hooks.createHook = (callbacks) => {
  const following = createHook(callbacks);
  stopping.push(() => {
    following.disable();
    createHook({ ...callbacks, trackPromises: false }).enable();
  });
  return following;
};

/**
 * Loads a module that declares tests. With the last one, promises are followed no more: an error that nothing catches still
 * fails the run, with its stack, and not always its test.
 */
export async function loadTests(module: URL): Promise<void> {
  loading += 1;
  await import(module.href);
  loading -= 1;
  if (loading === 0) for (const stop of stopping.splice(0)) stop();
}
