import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startService } from '../blackbox/service.ts';
import { type CommandLine, commandLine, json, temporaryFolder } from '../support/command-line.ts';
import { clockAhead } from '../support/machine-environment.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const DAY = 86_400_000;
const ahead = (days: number) => clockAhead(days * DAY);
const REFUSED =
  /^error: The newest movement was recorded at 20\d\d-\S+, and now it is 2[23]\d\d-\S+, more than 366 days later: is the clock right\? Nothing was changed\. .* --accept-clock/;

test('commands that record movements refuse a clock that is years ahead, unless it is accepted', async (t) => {
  if (isSkippedDaily(t)) return;
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  const wrong = commandLine(folder, { env: ahead(274 * 365) });
  await json(cli, 'migrate');
  const file = join(folder, 'pets.csv');
  const importWith = (line: CommandLine, quantity: number, ...words: string[]) => {
    writeFileSync(file, `petId,quantity\n1,${quantity}\n`);
    return line('pets', 'import', file, ...words);
  };
  assert.equal((await importWith(cli, 5)).code, 0);
  const refused = await importWith(wrong, 6);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, REFUSED);
  for (const line of [
    'movements prune --yes --keep-days 1',
    'movements prune --yes --before 2026-01-01',
    'pets thresholds 1 --low 9',
    'pets thresholds --default --low 9',
    'orders expire',
    'orders expire 1',
  ]) {
    const { code, stderr } = await wrong(...line.split(' '));
    assert.equal(code, 1, line);
    assert.match(stderr, REFUSED, line);
  }
  assert.equal((await wrong('pets', 'thresholds', '1')).code, 0, 'thresholds can be read');
  assert.equal((await json(cli, 'verify')).movements, 1);
  const service = await startService(t, { databaseDir: folder, key: 'none', env: ahead(274 * 365) });
  assert.match(
    service.logs(),
    /"level":"error".*more than 366 days later: is the clock right\? If not, stop the service/,
  );
  await service.kill9();
  const idle = commandLine(folder, { env: ahead(365) });
  assert.equal((await importWith(idle, 6)).code, 0);
  assert.equal((await importWith(wrong, 7, '--accept-clock')).code, 0);
  assert.equal((await json(cli, 'verify')).movements, 3);
  assert.deepEqual(await json(wrong, 'orders', 'expire', '--accept-clock'), { expired: 0 });
  assert.equal((await json(wrong, 'pets', 'thresholds', '1', '--low', '9', '--accept-clock')).changed, 1);
});
