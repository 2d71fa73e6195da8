import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine, json, temporaryFolder } from '../support/command-line.ts';

test('management keys are made, listed, rotated and revoked, and are no keys of clients', async (t) => {
  const cli = commandLine(temporaryFolder(t));
  await json(cli, 'migrate');
  const made = await json(cli, 'admin-keys', 'create', '--role', 'staff', '--name', 'Ada');
  const { key, ...listed } = made;
  assert.match(String(key), /^psa_live_[0-9A-Za-z]{38}$/);
  assert.equal(listed.role, 'staff');
  assert.deepEqual(await json(cli, 'admin-keys', 'list'), [listed]);
  assert.deepEqual(await json(cli, 'keys', 'list'), []);

  const rotated = await json(cli, 'admin-keys', 'rotate', String(made.id), '--overlap', '0');
  assert.deepEqual([rotated.role, rotated.name, rotated.rotatedFrom], ['staff', 'Ada', made.id]);
  const again = await cli('admin-keys', 'rotate', String(made.id));
  assert.match(again.stderr, /is expired, so it cannot be rotated/);
  const revoked = await json(cli, 'admin-keys', 'revoke', '--yes', String(rotated.id));
  assert.deepEqual(await json(cli, 'admin-keys', 'revoke', '--yes', String(rotated.id)), revoked);

  for (const command of ['revoke', 'rotate']) {
    const { code, stderr } = await cli('keys', command, String(made.id));
    assert.deepEqual([code, stderr], [1, `error: There is no key "${String(made.id)}".\n`]);
  }
  const named = await cli('admin-keys', 'rotate', 'Ada');
  assert.equal(named.stderr, 'error: There is no management key "Ada"; an id begins with key_.\n');
  const { stderr } = await cli('admin-keys', 'create', '--role', 'owner');
  assert.match(stderr, /--role is "owner"; give one of viewer, staff, administrator\./);
});

test('a second key of one name is made only with --yes, for management and for an account', async (t) => {
  const cli = commandLine(temporaryFolder(t));
  await json(cli, 'migrate');
  await json(cli, 'accounts', 'create', 'shop', '--plan', 'pro');
  await json(cli, 'accounts', 'create', 'stall', '--plan', 'pro');
  for (const words of [
    ['admin-keys', 'create', '--role', 'administrator'],
    ['keys', 'create', '--account', 'shop'],
  ]) {
    const named = [...words, '--name', 'owner'];
    const first = await json(cli, ...named);
    const refused = await cli(...named);
    assert.equal(refused.code, 1);
    assert.ok(refused.stderr.includes(String(first.id)), refused.stderr);
    assert.match(
      refused.stderr,
      /has the name "owner" already\. Add --yes to confirm, or give another --name\. Nothing was made\.\n$/,
    );
    await json(cli, ...named, '--yes');
    await json(cli, ...words, '--name', 'another');
    const list = (await json(cli, words[0] as string, 'list')) as unknown as readonly unknown[];
    assert.equal(list.length, 3);
  }
  await json(cli, 'keys', 'create', '--account', 'stall', '--name', 'owner');

  const made = await json(cli, 'keys', 'create', '--account', 'stall', '--name', 'till');
  await json(cli, 'keys', 'revoke', String(made.id), '--yes');
  await json(cli, 'keys', 'create', '--account', 'stall', '--name', 'till');
});
