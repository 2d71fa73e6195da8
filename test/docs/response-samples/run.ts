import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../pages.ts';

/** That of the lockfile: the samples name it. */
const NODE = join(ROOT, 'node_modules/.bin/node');

/** The committed samples, which the reference shows. */
export const RESPONSE_SAMPLES = 'docs/response-samples.json';

/** Executes the requests in a process of its own, whose clock stands still. @returns The text of `RESPONSE_SAMPLES`. */
export async function executedSamples(): Promise<string> {
  // The tests' own clock and engine are not those of the samples.
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const own = Object.entries(env).filter(([name]) => !name.startsWith('PETSTORE_'));
  const preloads = ['server/test/support/compile-cache.ts', 'test/docs/response-samples/fixed-world.js'];
  const words = [
    ...preloads.flatMap((path) => ['--import', join(ROOT, path)]),
    join(ROOT, 'test/docs/response-samples/main.ts'),
  ];

  const { stdout } = await promisify(execFile)(NODE, words, {
    env: Object.fromEntries(own),
    maxBuffer: 10_000_000,
  });
  return stdout;
}
