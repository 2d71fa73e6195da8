import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandLine, json, temporaryFolder } from '../../support/command-line.ts';
import { clockAhead } from '../../support/machine-environment.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TOLERANCE_MS = HOUR / 2;

test('records of the command line on PostgreSQL have the time of the database, independent of its own clock', async (t) => {
  const { server: postgres } = await sharedPostgres();
  const url = await postgres.createDatabase();
  const folder = temporaryFolder(t);
  const env = { PETSTORE_DATABASE: url, PETSTORE_PEPPER: 'a pepper of thirty-two characters' };
  // With this clock ahead, it would refuse to record movements, and treat valid keys as expired.
  const ahead = { ...env, ...clockAhead(400 * DAY) };
  const cli = commandLine(folder, { env: ahead });
  await json(cli, 'migrate');
  const file = join(folder, 'pets.csv');
  writeFileSync(file, 'petId,quantity\n1,5\n2,5\n');

  const near = (text: unknown, ms: number, what: string) => {
    const atMs = typeof text === 'string' ? Date.parse(text) : Number(text);
    assert.ok(Math.abs(atMs - ms) < TOLERANCE_MS, `${what}: ${new Date(atMs).toISOString()}`);
  };
  const [clock] = await postgres.query(
    'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float AS now',
    nameOf(url),
  );
  const nowMs = Number(clock?.now);
  await json(cli, 'pets', 'import', file);
  const [movement] = await postgres.query('SELECT max(recorded_at)::float AS at FROM movements', nameOf(url));
  near(movement?.at, nowMs, 'import');
  near((await json(cli, 'accounts', 'create', 'shop', '--plan', 'free')).createdAt, nowMs, 'account');
  const key = await json(cli, 'keys', 'create', '--account', 'shop', '--expires', '2d');
  near(key.createdAt, nowMs, 'key');
  near(key.expiresAt, nowMs + 2 * DAY, 'expiry');
  const list = (await json(cli, 'keys', 'list')) as unknown as { state: string }[];
  assert.deepEqual(
    list.map(({ state }) => state),
    ['active'],
    'it is expired by the clock of the command line only',
  );
  const rotated = await json(cli, 'keys', 'rotate', String(key.id), '--overlap', '1d');
  near(rotated.createdAt, nowMs, 'rotated');
  near(rotated.oldExpiresAt, nowMs + DAY, 'overlap');
  near((await json(cli, 'keys', 'revoke', '--yes', String(key.id))).revokedAt, nowMs, 'revoked');
  const bannedAtMs = nowMs - 1_000;
  await postgres.query(
    `INSERT INTO bans (key_id, level, banned_at, ends_at) VALUES ('${rotated.id}', 1, ${bannedAtMs}, ${bannedAtMs + HOUR})`,
    nameOf(url),
  );
  assert.equal(((await json(cli, 'bans', 'list')) as unknown as unknown[]).length, 1);
  assert.equal((await json(cli, 'bans', 'lift', String(rotated.id))).lifted, true);
  // By its own clock the import is older than 5 days.
  assert.equal((await json(cli, 'movements', 'prune', '--yes', '--keep-days', '5')).movements, 0);
  assert.deepEqual((await json(cli, 'movements', 'prune', '--yes', '--keep-days', '5')).start, {
    sequence: 0,
    recordedAt: null,
  });
  for (const statement of [
    'ALTER TABLE movements DISABLE TRIGGER USER',
    `UPDATE movements SET recorded_at = recorded_at - ${400 * DAY}`,
    'ALTER TABLE movements ENABLE TRIGGER USER',
  ]) {
    await postgres.query(statement, nameOf(url));
  }
  const [made] = await postgres.query(
    "SELECT value::float AS at, applied_at::float AS applied FROM metadata, schema_migrations WHERE metadata.name = 'created_at'",
    nameOf(url),
  );
  near(made?.at, nowMs, 'the database is made');
  near(made?.applied, nowMs, 'it is migrated');
  const hour = new Date(nowMs + HOUR).toISOString();
  for (const words of [
    ['activity', '--since', hour],
    ['orders', 'list', '--since', hour],
    ['accounts', 'usage', 'shop', '--until', hour],
    ['movements', 'prune', '--yes', '--before', hour],
  ]) {
    const { code, stderr } = await cli(...words);
    assert.equal(code, 1, words.join(' '));
    assert.match(stderr, /is in the future: it is \S+ in the database/);
  }
  await json(cli, 'keys', 'create', '--account', 'shop', '--expires', hour);
  const refused = await cli('pets', 'import', file);
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /more than 366 days later: is the clock right\? Nothing was changed.*--accept-clock/,
  );
  await json(cli, 'pets', 'import', file, '--accept-clock');
});

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
