import { after } from 'node:test';

const closing: (() => unknown)[] = [];

// The runner loads this module outside of any file's suite, whose hooks run when that file ends.
after(async () => {
  for (const close of closing.toReversed()) await close();
});

/** Calls a function when all tests of this process have ended, for what its files share. */
export function atProcessEnd(close: () => unknown): void {
  closing.push(close);
}
