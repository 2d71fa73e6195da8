import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const { Bun } = globalThis as { readonly Bun?: { gc(isSynchronous: boolean): void } };

/** Collects all garbage of this thread. */
export const collectGarbage: () => void = Bun ? () => Bun.gc(true) : exposedCollector();

function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
