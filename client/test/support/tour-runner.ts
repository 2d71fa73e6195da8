import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const TOUR = fileURLToPath(new URL('tour.mjs', import.meta.url));

/** Writes the program that prints the tour of the client in `dist`. Returns its path. */
export function writeRunner(folder: string): string {
  copyFileSync(TOUR, join(folder, 'tour.mjs'));
  const runner = join(folder, 'run.mjs');
  writeFileSync(
    runner,
    `import * as client from './dist/index.js';
import { tour } from './tour.mjs';
console.log(JSON.stringify(await tour(client, ...process.argv.slice(2))));
`,
  );
  return runner;
}

/** The result of a tour with the pets 7 and this one, of which there were 5. */
export function expectedTour(large: bigint): unknown {
  return {
    isExact: true,
    quantityAfter: 6,
    refusal: [true, 'not_found', 'string'],
    watched: [String(large), 40],
    pages: ['7', String(large)],
    forged: 'invalid_signature',
    limit: true,
    cached: 200,
  };
}
