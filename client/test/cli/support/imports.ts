import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestApp } from '../../../../server/test/support/harness.ts';
import { fetchOf } from '../../support/client-of.ts';
import type { Petstore } from './petstore.ts';

export function fileIn({ home }: Petstore, name: string, text: string): string {
  const file = join(home, name);
  writeFileSync(file, text);
  return file;
}

export async function quantities(petstore: Petstore): Promise<number[]> {
  return (await petstore.list<{ quantity: number }>('list')).map(({ quantity }) => quantity);
}

/** A `fetch` that interrupts a command after a batch was applied, before its response arrives. */
export function losing(app: TestApp, batch: number, interrupt: () => void): typeof fetch {
  let batches = 0;
  return async (input, init) => {
    const response = await fetchOf(app)(input, init);
    const isApply = String(input).endsWith('/batch') && !String(init?.body).includes('"dryRun"');
    if (isApply) batches += 1;
    if (!isApply || batches !== batch) return response;
    interrupt();
    throw new TypeError('fetch failed');
  };
}
