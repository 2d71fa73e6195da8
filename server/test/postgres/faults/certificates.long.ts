import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { request, setQuantity } from '../../blackbox/api-request.ts';
import { NO_LIMIT, prepareShop } from '../../blackbox/operator.ts';
import { launchService, serviceEnvironment } from '../../blackbox/service-process.ts';
import { temporaryFolder } from '../../support/command-line.ts';
import { until } from '../../support/until.ts';
import { Certificates } from '../support/certificates.ts';
import { startPostgres } from '../support/postgres-server.ts';

/** Longer than between two looks whether the address still leads to the same server. */
const WATCHED_MS = 8_000;
const ATTEMPTS = 10;

test('a service outlives certificates of the server that are replaced, expire, or are of another authority', async (t) => {
  const postgres = await startPostgres(t);
  const certificates = await Certificates.make(t, postgres);
  if (!certificates) return t.skip('NOT RUN: there is no openssl');
  for (const authority of ['first', 'second']) {
    certificates.makeAuthority(authority);
    certificates.make(`of-${authority}`, authority);
  }
  certificates.make('renewed', 'first');
  certificates.make('expired', 'first', { days: -1 });
  const trust = (authority: string) =>
    copyFileSync(certificates.path(`${authority}.pem`), certificates.path('ca.pem'));
  trust('first');
  await certificates.serve('of-first');
  const environment = serviceEnvironment('node', temporaryFolder(t), {
    PETSTORE_DATABASE: `${await postgres.createDatabase()}?sslmode=verify-full&sslrootcert=${certificates.path('ca.pem')}`,
    PETSTORE_PEPPER: randomBytes(24).toString('hex'),
    PETSTORE_ADDRESS_LIMIT: String(NO_LIMIT),
  });
  const { key } = await prepareShop(environment, { pets: [{ petId: 1n, quantity: 0 }] });
  const service = await launchService(environment);
  t.after(() => service.kill9());
  let quantity = 0;
  let acknowledged = 0;
  const change = async () => {
    quantity += 1;
    const sent = quantity;
    const { status } = await setQuantity({ port: service.port, key }, 1, sent);
    if (status === 200) acknowledged = sent;
    return status;
  };
  const list = async () => (await request(service, { path: '/v1/inventory', key })).status;
  const heals = async (what: string) => {
    const fromMs = performance.now();
    await until(async () => (await change()) === 200 && (await list()) === 200, what);
    t.diagnostic(`${what}: ${Math.round(performance.now() - fromMs)} ms`);
  };
  const assertRefused = async (reason: RegExp) => {
    const refused = async () => assert.deepEqual([await change(), await list()], [503, 503]);
    for (let i = 0; i < ATTEMPTS; i += 1) await refused();
    // The log has one such error per interval.
    await until(async () => {
      await refused();
      return reason.test(service.logs());
    }, `the log says ${reason.source}`);
  };
  assert.equal(await change(), 200);

  await certificates.serve('renewed');
  await postgres.terminateBackends();
  await heals('a renewed certificate');

  // Sessions that are open stay as they are.
  await certificates.serve('expired');
  for (const endMs = performance.now() + WATCHED_MS; performance.now() < endMs;) {
    assert.equal(await change(), 200);
    await delay(50);
  }
  await postgres.terminateBackends();
  await assertRefused(/certificate has expired/);
  await certificates.serve('renewed');
  await heals('a certificate that was renewed after it expired');

  await certificates.serve('of-second');
  await postgres.terminateBackends();
  await assertRefused(/unable to verify the first certificate/);
  trust('second');
  await heals('another authority');
  const { body } = await request(service, { path: '/v1/inventory', key });
  assert.equal(JSON.parse(body.toString())[0].quantity, acknowledged);
  assert.ok(service.isAlive());
});
