import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeAdminKey } from '../../../server/test/blackbox/operator.ts';
import { startService } from '../../../server/test/blackbox/service.ts';
import { DOCUMENTS } from '../../../server/test/support/openapi-document.ts';
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

/** Of `scenario.*`: list, set with If-Match, adjust under an idempotency key, order, limits. */
const SCENARIO = [
  `listed ${NEIGHBOUR} 5`,
  `listed ${PET} 42`,
  `set ${PET} 50`,
  'refused 412 precondition_failed',
  `sold ${PET} 47`,
  `sold ${PET} 47`,
  `ordered ${PET} 2 placed`,
  'available 45',
  'limits enterprise 1000000000',
];

/** Of `Edit.*`: what is not set stays, and a number of a union is read. */
const EDITED = ['Rex [4006381333931]', 'ordered 3000000001'];

type Document = (typeof DOCUMENTS)[number];

/** Tests a client against its own service. Returns the reason if the client cannot be installed. */
async function prove(
  t: TestContext,
  { install, build, command, scenario, edit }: Generator,
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
  const address = `http://127.0.0.1:${service.port}${base}`;
  const linesOf = async ([program, ...words]: ReturnType<typeof command>) => {
    const printed = await runCommand(folder, program, [...words, address, key]);
    return printed.trim().split(/\r?\n/);
  };
  assert.deepEqual(await linesOf(command(folder)), PRINTED);
  const list = await fetch(`${address}/inventory`, { headers: { Authorization: `Bearer ${key}` } });
  assert.equal(
    await list.text(),
    `[{"petId":${NEIGHBOUR},"quantity":5,"status":"available"},{"petId":${PET},"quantity":42,"status":"available"}]`,
  );
  if (scenario && base === '/v1') assert.deepEqual(await linesOf(await scenario(folder)), SCENARIO);
  if (edit && base !== '/v1') assert.deepEqual(await linesOf(await edit(folder)), EDITED);
  return undefined;
}

const missing = new Map<string, string>();

for (const document of DOCUMENTS) {
  for (const generator of GENERATORS) {
    const name = `${generator.name} of ${document.name}`;
    test(`a client of ${name} compiles, and does what a shop does with an exact petId above 2^53`, async (t) => {
      const reason = await prove(t, generator, document);
      if (reason === undefined) return;
      missing.set(name, reason);
      t.skip(`${generator.name} could not be installed, so nothing was proved: ${reason}`);
    });
  }

  test(`the client of openapi-typescript of ${document.name} was proved`, () => {
    assert.equal(missing.get(`openapi-typescript of ${document.name}`), undefined);
  });
}
