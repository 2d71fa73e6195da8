import { responseSamples } from './sample-responses.ts';

/** Prints the samples of responses. `fixed-world.js` must be loaded first. */
const closing: (() => unknown)[] = [];
const samples = await responseSamples({
  after: (close: unknown) => void closing.push(close as () => unknown),
});
process.stdout.write(`${JSON.stringify(samples, undefined, 1)}\n`);
for (const close of closing.toReversed()) await close();
process.exit(0);
