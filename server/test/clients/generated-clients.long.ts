import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startService } from '../blackbox/service.ts';
import { GENERATORS, type Generator } from './generators.ts';
import { runCommand } from './run-command.ts';

/** Two integers that are equal as doubles. */
const PET = 9007199254740993n;
const NEIGHBOUR = 9007199254740992n;

const PRINTED = [
  '9007199254740993 done',
  '9007199254740993 done',
  '9007199254740993 done',
  '9007199254740995 not_found',
];

/** Tests a client against its own service. Returns the reason if the client cannot be installed. */
async function prove(t: TestContext, { install, build, command }: Generator): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-client-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  try {
    await install(folder);
  } catch (error) {
    return (error as Error).message;
  }
  await build(folder);
  const pets = [PET, NEIGHBOUR].map((petId) => ({ petId, quantity: 5 }));
  const { port, key } = await startService(t, { pets });
  const [program, ...words] = command(folder);
  const base = `http://127.0.0.1:${port}/v1`;
  const printed = await runCommand(folder, program, [...words, base, key]);
  assert.deepEqual(printed.trim().split(/\r?\n/), PRINTED);
  const list = await fetch(`${base}/inventory`, { headers: { Authorization: `Bearer ${key}` } });
  assert.equal(
    await list.text(),
    `[{"petId":${NEIGHBOUR},"quantity":5,"status":"available"},{"petId":${PET},"quantity":42,"status":"available"}]`,
  );
  return undefined;
}

const missing = new Map<string, string>();

for (const generator of GENERATORS) {
  test(`a client of ${generator.name} compiles, and keeps a petId above 2^53 exact`, async (t) => {
    const reason = await prove(t, generator);
    if (reason === undefined) return;
    missing.set(generator.name, reason);
    t.diagnostic(`${generator.name} could not be installed, so nothing was proved: ${reason}`);
  });
}

test('the client of openapi-typescript was proved', () => {
  assert.equal(missing.get('openapi-typescript'), undefined);
});
