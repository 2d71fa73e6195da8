import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startApp } from '../../../server/test/support/harness.ts';
import { petRows } from '../../../server/test/support/pet-rows.ts';
import { fileIn, losing, quantities } from './support/imports.ts';
import { type Petstore, petstoreOf } from './support/petstore.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

const PETS = 1_500;
const ADD = '--add --reason received --yes';

function delivery(units: number, pets = PETS): string {
  const rows = Array.from({ length: pets }, (_, i) => `${i + 1},${units}`);
  return `petId,quantity\n${rows.join('\n')}\n`;
}

/** Adds 2 units to each pet of `delivery.csv`, and is interrupted after the first 1,000. */
async function interrupted(
  t: TestContext,
  kind = ADD,
): Promise<Petstore & { readonly file: string; readonly key: string }> {
  const app = await startApp(t, { pets: petRows(PETS).map((pet) => ({ ...pet, quantity: 5 })) });
  const petstore = petstoreOf(t, app);
  const file = fileIn(petstore, 'delivery.csv', delivery(2));
  const interruption = new AbortController();
  const fetch = losing(app, 2, () => interruption.abort());
  const { code } = await petstore.run(`import ${file} ${kind}`, { fetch, signal: interruption.signal });
  assert.equal(code, 130);
  return { ...petstore, file, key: app.key };
}

function recordsOf({ home }: Petstore): number {
  return readdirSync(join(home, 'state/petstore/imports')).length;
}

test('an edited file is not added while its import is unfinished; --resume finishes that one', async (t) => {
  const petstore = await interrupted(t);
  const before = await quantities(petstore);
  fileIn(petstore, 'delivery.csv', delivery(3));
  const refused = await petstore.run(`import ${petstore.file} ${ADD}`);
  assert.deepEqual([refused.code, refused.stdout], [3, '']);
  assert.match(
    refused.stderr,
    /1,000 of 1,500 changes have a result\. The file or --add has changed since\. Nothing was changed now\./,
  );
  assert.match(refused.stderr, /Add --resume [\s\S]*Add --fresh /);
  const without = await petstore.run(`import ${petstore.file} --yes`);
  assert.equal(without.code, 3, 'also without --add');
  assert.deepEqual(await quantities(petstore), before);

  const dry = await petstore.run(`import ${petstore.file} ${ADD} --dry-run --fresh`);
  assert.deepEqual([dry.code, recordsOf(petstore)], [0, 1], 'a dry run forgets nothing');
  // It needs neither the file nor the options.
  rmSync(petstore.file);
  const resumed = await petstore.run(`import ${petstore.file} --resume --yes`);
  assert.equal(resumed.code, 0, resumed.stderr);
  assert.match(resumed.stdout, /1,500 pets changed/);
  assert.deepEqual(new Set(await quantities(petstore)), new Set([7]));
  assert.equal(recordsOf(petstore), 0);
  const nothing = await petstore.run(`import ${petstore.file} --resume --yes`);
  assert.equal(nothing.code, 2);
  assert.match(nothing.stderr, /No interrupted import of .* is known/);
});

test('--fresh imports an edited file as a whole, and forgets the interrupted import', async (t) => {
  if (isSkippedDaily(t)) return;
  const petstore = await interrupted(t);
  fileIn(petstore, 'delivery.csv', delivery(3));
  const declined = await petstore.run(`import ${petstore.file} --add --reason received --fresh`);
  assert.deepEqual([declined.code, recordsOf(petstore)], [2, 1], 'not before the user agrees');
  assert.equal((await petstore.run(`import ${petstore.file} ${ADD} --fresh`)).code, 0);
  assert.equal(recordsOf(petstore), 0);
  assert.deepEqual(new Set(await quantities(petstore)), new Set([10]));
});

test('an edited file whose quantities are set is compared with the stock again', async (t) => {
  if (isSkippedDaily(t)) return;
  const petstore = await interrupted(t, '--yes');
  fileIn(petstore, 'delivery.csv', delivery(3));
  const { code, stderr } = await petstore.run(`import ${petstore.file} --yes`);
  assert.deepEqual([code, stderr, recordsOf(petstore)], [0, '', 0]);
  assert.deepEqual(new Set(await quantities(petstore)), new Set([3]));
});

test('another form of the address is the same service', async (t) => {
  const petstore = await interrupted(t);
  for (const url of ['http://LOCALHOST:80/v1/', 'http://localhost/']) {
    const env = { PETSTORE_URL: url, PETSTORE_API_KEY: petstore.key };
    const { code, stderr } = await petstore.run(`import ${petstore.file} --add --reason received`, { env });
    assert.equal(code, 2, stderr);
    assert.match(stderr, /was interrupted/, url);
  }
});

test('a copy of a file is the same import; another file is imported, after a note', async (t) => {
  if (isSkippedDaily(t)) return;
  const petstore = await interrupted(t);
  const other = fileIn(petstore, 'other.csv', delivery(1, 1));
  const noted = await petstore.run(`import ${other} ${ADD}`);
  assert.equal(noted.code, 0);
  assert.match(noted.stderr, /An import of .*delivery\.csv.* was interrupted: .* corrected copy of it/);
  const copy = fileIn(petstore, 'copy.csv', delivery(2));
  assert.match((await petstore.run(`import ${copy} ${ADD}`)).stdout, /1,500 pets changed/);
  assert.deepEqual(new Set(await quantities(petstore)), new Set([7, 8]));
});
