import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeAdminKey } from '../blackbox/operator.ts';
import { startService } from '../blackbox/service.ts';
import { DOCUMENTS } from '../support/openapi-document.ts';
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

type Document = (typeof DOCUMENTS)[number];

/** Tests a client against its own service. Returns the reason if the client cannot be installed. */
async function prove(
  t: TestContext,
  { install, build, command }: Generator,
  { name, base }: Document,
): Promise<string | undefined> {
  const document = fileURLToPath(new URL(`../../../${name}`, import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'petstore-client-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  try {
    await install(folder, document);
  } catch (error) {
    return (error as Error).message;
  }
  await build(folder, document);
  const pets = [PET, NEIGHBOUR].map((petId) => ({ petId, quantity: 5 }));
  const service = await startService(t, { pets });
  const key = base === '/v1' ? service.key : await makeAdminKey(service, 'staff');
  const [program, ...words] = command(folder);
  const address = `http://127.0.0.1:${service.port}${base}`;
  const printed = await runCommand(folder, program, [...words, address, key]);
  assert.deepEqual(printed.trim().split(/\r?\n/), PRINTED);
  const list = await fetch(`${address}/inventory`, { headers: { Authorization: `Bearer ${key}` } });
  assert.equal(
    await list.text(),
    `[{"petId":${NEIGHBOUR},"quantity":5,"status":"available"},{"petId":${PET},"quantity":42,"status":"available"}]`,
  );
  return undefined;
}

const missing = new Map<string, string>();

for (const document of DOCUMENTS) {
  for (const generator of GENERATORS) {
    const name = `${generator.name} of ${document.name}`;
    test(`a client of ${name} compiles, and keeps a petId above 2^53 exact`, async (t) => {
      const reason = await prove(t, generator, document);
      if (reason === undefined) return;
      missing.set(name, reason);
      t.diagnostic(`${generator.name} could not be installed, so nothing was proved: ${reason}`);
    });
  }

  test(`the client of openapi-typescript of ${document.name} was proved`, () => {
    assert.equal(missing.get(`openapi-typescript of ${document.name}`), undefined);
  });
}
