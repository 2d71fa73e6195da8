import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { Context } from '../../../client/cli/context.ts';
import { buildProgram as buildClient } from '../../../client/cli/program.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { commandLine, environmentOf, json, temporaryFolder } from '../support/command-line.ts';
import { MIGRATION_NAMES } from '../support/migration-names.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DAY_MS = 86_400_000;

async function newShop(t: TestContext) {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  await json(cli, 'accounts', 'create', 'shop', '--plan', 'pro');
  return { folder, cli };
}

function leavesOf(command: Command, path: readonly string[] = []): [string, Command][] {
  if (command.commands.length === 0) return [[path.join(' '), command]];
  // A command with arguments and further commands, such as backup, does something by itself.
  const itself: [string, Command][] =
    command.registeredArguments.length > 0 ? [[path.join(' '), command]] : [];
  return [...itself, ...command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]))];
}

test('every command takes --json, and its help shows an example of itself', () => {
  const leaves = leavesOf(buildProgram());
  assert.equal(leaves.length, 78);
  for (const [path, command] of leaves) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    assert.match(help, new RegExp(`\nExamples?:\n  petstore-server ${path}(?: |\n)`), path);
    assert.match(help, /--json /, path);
  }
});

/** The commands of a row such as `keys create`, `list` or `backup FILE`. */
function commandsIn(row: string): string[] {
  const spans = [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) =>
    text.split(' ').filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('--')),
  );
  const group = spans[0]?.slice(0, -1) ?? [];
  return spans.map((words, i) => (i === 0 ? words : [...group, ...words]).join(' '));
}

test('docs/operating.md lists every command, and those with --dry-run and with --yes', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../docs/operating.md', import.meta.url)), 'utf8');
  const [, table = ''] = page.split('| command | what it does |\n|---|---|\n');
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n');
  const leaves = leavesOf(buildProgram());
  assert.deepEqual(rows.flatMap(commandsIn).toSorted(), leaves.map(([path]) => path).toSorted());
  const dryRuns = leaves.filter(([, { options }]) => options.some(({ long }) => long === '--dry-run'));
  const [, listed = ''] = /- \*\*`--dry-run`\*\*([\s\S]*?)\. It is refused/.exec(page) ?? [];
  const named = [...listed.matchAll(/`([^`]+)`/g)].map(([, text]) => text);
  assert.deepEqual(named.toSorted(), dryRuns.map(([path]) => path).toSorted());
  const confirmed = leaves.filter(([, { options }]) => options.some(({ long }) => long === '--yes'));
  const [, asking = ''] = /- \*\*`--yes`\*\*([\s\S]*?)\. Without a terminal/.exec(page) ?? [];
  const commands = [...asking.matchAll(/`([a-z][^`A-Z]+)/g)].map(([, text = '']) => text.trim());
  assert.deepEqual(commands.toSorted(), confirmed.map(([path]) => path).toSorted());
});

test('help and version succeed; a missing or unknown command is a usage error', async (t) => {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  const help = await cli('--help');
  assert.equal(help.code, 0);
  assert.match(help.stdout, /Exit codes:\n {2}0 {2}done\n {2}1 .*\n {2}2 /);
  for (const option of ['--version', '-v', '-V']) {
    assert.deepEqual(await cli(option), { code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  }
  assert.match((await cli('keys', 'create', '--help')).stdout, /--account <name> .*\(required\)/);
  assert.match(
    (await cli('move', '--help')).stdout,
    /--from <address> [^(]*\(required\)[\s\S]*--to .*\(required\)/,
  );
  assert.match((await cli('serve', '--help')).stdout, /PETSTORE_DRAIN_TIMEOUT \(10\)/);
  assert.match((await cli('keys', 'rotate', '--help')).stdout, /--overlap <time> [^(]*\(default: 1d\)/);

  assert.match(
    (await cli('--help')).stdout,
    /move, restore and a migrate that changes the schema need it stopped/,
  );

  const nothing = await cli();
  assert.deepEqual([nothing.code, nothing.stdout], [2, '']);
  assert.match(nothing.stderr, /^Usage: petstore-server/);
  assert.match(
    (await cli('accounts', 'create', 'shop', '--plan')).stderr,
    /--plan needs a value, as in --plan <plan>\./,
  );
  const misspelt = await cli('acounts', 'list');
  assert.deepEqual([misspelt.code, misspelt.stdout], [2, '']);
  assert.match(
    misspelt.stderr,
    /^error: unknown command 'acounts' .*accounts.*\nSee petstore-server --help\.\n$/,
  );
});

test('help shows the help of a command, and completion ends the words of a command line', async (t) => {
  const cli = commandLine(temporaryFolder(t));
  assert.deepEqual(await cli('help', 'keys', 'create'), await cli('keys', 'create', '--help'));
  const missing = await cli('help', 'keys', 'make');
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /no command "keys make"; give one of create, list, rotate, revoke\./);
  const words = async (...typed: string[]) =>
    (await cli('complete', '--', ...typed)).stdout.split('\n').map((line) => line.split('\t')[0]);
  assert.deepEqual(await words('admin-keys', 'r'), ['rotate', 'revoke', ':4', '']);
  assert.deepEqual((await words('accounts', 'create', 'shop', '--plan', '')).slice(0, 2), ['free', 'pro']);
  for (const shell of ['bash', 'zsh', 'fish']) {
    assert.match((await cli('completion', shell)).stdout, /petstore-server complete -- /, shell);
  }
});

/** The options of a program by their names, with whether they take a value. */
function optionsIn(program: Command): Map<string, boolean> {
  const options = leavesOf(program).flatMap(([, command]) => command.options);
  return new Map(
    options.flatMap(({ short, long, required }) =>
      [short, long].flatMap((name) => (name?.startsWith('--') ? [[name, required] as const] : [])),
    ),
  );
}

test('an option has the same spelling in both programs', () => {
  const context = { stdout: process.stdout, stderr: process.stderr, env: {} } as unknown as Context;
  const [operator, client] = [optionsIn(buildProgram()), optionsIn(buildClient(context))];
  for (const name of ['--type', '--types', '--by', '--actor', '--since', '--oldest-first', '--if-quantity']) {
    assert.ok(operator.has(name) && client.has(name), name);
  }
  for (const [name, takesValue] of operator) {
    assert.ok([undefined, takesValue].includes(client.get(name)), name);
  }
});

const WRONG_USAGE: readonly [string, RegExp][] = [
  ['accounts create', /--plan|name/],
  ['accounts create shop --plan gold', /free, pro, business, enterprise/],
  ['accounts create shop --plan enterprise', /needs --per-minute and --per-day/],
  ['accounts create shop --plan enterprise --per-minute 5', /needs --per-minute and --per-day/],
  ['accounts create shop --plan pro --per-day 5', /enterprise plan only/],
  ['accounts create shop --plan enterprise --per-minute 0 --per-day 5', /from 1 to 1000000000/],
  ['accounts create shop --plan enterprise --per-minute 5 --per-day 1000000001', /from 1 to 1000000000/],
  ['accounts create shop --plan enterprise --per-minute 1e3 --per-day 5', /from 1 to 1000000000/],
  ['keys create', /--account/],
  ['keys create --account shop --scope inventory:delete', /inventory:read, inventory:write, .*pets:read/],
  ['keys create --account shop --expires 2027-02-30', /such as 90d/],
  ['keys create --account shop --expires 2027-01-01T00:00:00', /such as 90d/],
  ['keys rotate key_x --overlap 8d', /from 0 to 7d/],
  ['keys rotate key_x --overlap 604801', /from 0 to 7d/],
  ['bans lift', /key-id/],
  ['verify everything', /too many arguments/],
  ['orders list --status sold', /placed, approved, delivered, cancelled, expired/],
  ['orders list --pet 01', /64 bits/],
  ['orders list --limit 0', /whole number, 1 or more/],
  ['orders list --limit 9007199254740991', /whole number, 1 or more/],
  [
    'webhooks create https://a.example --account shop --type order.placed,nope',
    /^--types is "order.placed,nope"; give one or more of /,
  ],
  ['inventory set 1', /quantity or --status/],
  ['inventory set 1 4 --status sold', /quantity or --status/],
  ['inventory get x', /^"x" is no pet id; /],
  ['orders show', /^the argument <order-id> is missing\.$/],
  ['orders show 0', /number of 1 or more/],
  ['orders show 1e3', /number of 1 or more/],
  ['orders show 9007199254740993', /number of 1 or more/],
  ['orders expire -1', /unknown option|number of 1 or more/],
  ['pets thresholds 9223372036854775808', /64 bits/],
  ['pets thresholds 1 --default', /pets or --default, not both/],
  ['pets thresholds --low 3', /name the pets to change, or give --default/],
  ['pets thresholds --none', /name the pets to change, or give --default/],
  ['pets thresholds 1 --low -1', /whole number, 0 or more/],
  ['pets thresholds 1 --low 1.5', /whole number, 0 or more/],
  ['pets thresholds 1 --low 9007199254740992', /whole number, 0 or more/],
  ['pets thresholds 1 --restock 3', /--restock needs --low/],
  ['pets thresholds --default --restock 3', /--restock needs --low/],
  ['pets thresholds 1 --low 3 --restock 3', /--restock must be greater than --low/],
  ['pets thresholds 1 --none --low 3', /without --low and --restock/],
  ['pets thresholds 1 --none --restock 3', /without --low and --restock/],
  [`pets thresholds ${Array.from({ length: 1_001 }, (_, i) => i).join(' ')}`, /at most 1000 pets/],
  ['movements prune', /one of --before and --keep-days/],
  ['movements prune --before 2026-01-01 --keep-days 9', /one of --before and --keep-days/],
  ['movements prune --before 2026-02-30', /such as 2026-12-31T23:59:59Z/],
  ['movements prune --keep-days 0', /from 1 to 36500/],
  ['move --to postgres://localhost/shop', /--from/],
  ['move --from mysql://u:secret@localhost/shop --to postgres://localhost/shop', /--from must be sqlite: /],
  ['move --from postgres://localhost/shop --to postgres://localhost/shop', /--from must name a SQLite file/],
  ['move --from sqlite:shop.db --to sqlite:shop.db', /--to must name a PostgreSQL database/],
];

test('usage errors are reported, in text and in JSON, before any other work', async (t) => {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  for (const [line, message] of WRONG_USAGE) {
    const { code, stdout, stderr } = await cli(...line.split(' '), '--json');
    assert.deepEqual([code, stdout], [2, ''], line);
    const { error, errors } = JSON.parse(stderr) as { error: string; errors: { message: string }[] };
    assert.match(error, message, line);
    assert.deepEqual(errors, [{ message: error }]);
    assert.doesNotMatch(stderr, /secret/);
  }
  assert.ok(!existsSync(join(folder, 'petstore.db')));
});

test('without a database every command explains how to create one, and creates none', async (t) => {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  for (const line of [
    'accounts list',
    'keys list',
    'bans list',
    'orders list',
    'orders show 1',
    'orders expire',
    'pets thresholds',
    'pets thresholds 1 --none',
    'verify',
    'backup copy.db',
    'movements prune --keep-days 1',
    'movements prune --keep-days 1 --yes',
  ]) {
    const { code, stdout, stderr } = await cli(...line.split(' '));
    assert.deepEqual([code, stdout], [1, ''], line);
    assert.match(
      stderr,
      /^error: There is no database at \/.*petstore\.db; run this where [^\n]* petstore-server migrate\.\n$/,
      line,
    );
  }
  assert.ok(!existsSync(join(folder, 'petstore.db')));
});

test('errors of the operator are one sentence, never a stack trace', async (t) => {
  if (isSkippedDaily(t)) return;
  const { folder, cli } = await newShop(t);
  writeFileSync(join(folder, 'bad.csv'), 'petId,quantity\n1,2\nx,3\n');
  const mistakes: readonly [string, RegExp][] = [
    ['accounts create shop --plan free', /an account named "shop" already/],
    ['accounts set-plan shpo --plan free', /no account "shpo"; there are: shop\./],
    ['keys create --account shpo', /no account "shpo"; there are: shop\./],
    ['keys revoke key_none', /There is no key "key_none"\.$/m],
    ['keys rotate psk_live_secret', /That is a key, not the id of one/],
    ['bans lift key_none', /no key "key_none"/],
    ['pets import none.csv', /none\.csv: there is no such file/],
    ['pets import bad.csv', /bad\.csv: 1 row is wrong; nothing was imported\.\n {2}line 3, petId: /],
    ['openapi --output none/openapi.json', /cannot be written: its folder does not exist\.$/m],
    ['openapi --output .', /^error: \. cannot be written: it is a folder; name a file in it\.$/m],
    ['backup .', /is a folder; name a new file in it/],
  ];
  for (const [line, message] of mistakes) {
    const { code, stdout, stderr } = await cli(...line.split(' '));
    assert.deepEqual([code, stdout], [1, ''], line);
    assert.match(stderr, message, line);
    assert.doesNotMatch(stderr, / {4}at |psk_live_secret/, line);
  }
  const wrongVariable = commandLine(folder, { env: { PETSTORE_COLOUR: 'red' } });
  assert.match((await wrongVariable('accounts', 'list')).stderr, /^error: PETSTORE_COLOUR is not a variable/);
});

for (const runtime of ['node', 'bun'] as const) {
  test(`an operator’s day works from the command line on ${runtime}`, async (t) => {
    if (runtime === 'bun' && isSkippedDaily(t)) return;
    const folder = temporaryFolder(t);
    const cli = commandLine(folder, { runtime });
    assert.deepEqual(await json(cli, 'migrate'), {
      database: `sqlite:${join(folder, 'petstore.db')}`,
      environment: 'production',
      migrations: MIGRATION_NAMES,
    });

    const account = await json(cli, 'accounts', 'create', 'corner shop', '--plan', 'pro');
    const { id, createdAt, ...rest } = account;
    assert.match(String(id), /^acc_\w{16}$/);
    assert.match(String(createdAt), ISO_TIME);
    assert.deepEqual(rest, { name: 'corner shop', plan: 'pro', perMinute: 300, perDay: 10_000 });
    const limits = ['--per-minute', '5', '--per-day', '1000000000'];
    const changed = await json(cli, 'accounts', 'set-plan', 'corner shop', '--plan', 'enterprise', ...limits);
    assert.deepEqual(changed, { ...account, plan: 'enterprise', perMinute: 5, perDay: 1_000_000_000 });
    assert.deepEqual(await json(cli, 'accounts', 'list'), [changed]);

    const scopes = ['--scope', 'inventory:read,pets:read', '--scope', 'pets:read'];
    const made = await json(cli, 'keys', 'create', '--account', 'corner shop', '--name', 'till', ...scopes);
    const { key, ...listed } = made;
    assert.match(String(key), /^psk_live_[0-9A-Za-z]{38}$/);
    assert.deepEqual(made.scopes, ['inventory:read', 'pets:read']);
    assert.deepEqual([made.state, made.expiresAt], ['active', null]);
    assert.deepEqual(await json(cli, 'keys', 'list', '--account', String(id)), [listed]);

    const rotated = await json(cli, 'keys', 'rotate', String(made.id), '--overlap', '1h');
    assert.notEqual(rotated.key, key);
    assert.deepEqual([rotated.rotatedFrom, rotated.name], [made.id, 'till']);
    assert.deepEqual(rotated.scopes, made.scopes);
    assert.match(String(rotated.oldExpiresAt), ISO_TIME);
    const revoked = await json(cli, 'keys', 'revoke', '--yes', String(rotated.id));
    assert.deepEqual(await json(cli, 'keys', 'revoke', '--yes', String(rotated.id)), revoked);
    assert.deepEqual(await json(cli, 'bans', 'list'), []);
    const lifted = await json(cli, 'bans', 'lift', String(made.id));
    assert.deepEqual(lifted, { keyId: made.id, lifted: false });

    writeFileSync(join(folder, 'pets.csv'), 'petId,name,quantity\n1,Rex,2\n9007199254740993,Tom,3\n');
    assert.deepEqual(await json(cli, 'pets', 'import', 'pets.csv'), { created: 2, changed: 0, unchanged: 0 });
    const low = await cli('pets', 'thresholds', '9007199254740993', '--low', '5', '--json');
    assert.match(
      low.stdout,
      /^\{"changed":1,"pets":\[\{"petId":9007199254740993,.*"alertLevel":"low"\}\]\}\n$/,
    );
    assert.deepEqual(await json(cli, 'orders', 'list'), []);
    assert.deepEqual(await json(cli, 'orders', 'expire'), { expired: 0 });
    const backup = await json(cli, 'backup', 'copy.db');
    assert.deepEqual([backup.file, backup.pepper], ['copy.db', join(folder, 'petstore.db.pepper')]);
    const { head, ...verified } = await json(cli, 'verify');
    assert.deepEqual(verified, {
      pets: 2,
      movements: 3,
      hashesChecked: 3,
      retentionStart: { sequence: 0, recordedAt: null },
      prunes: [],
      firstBadSequence: null,
      faults: [],
      findings: [],
    });
    assert.match(JSON.stringify(head), /^\{"sequence":3,"hash":"[0-9a-f]{64}"\}$/);
    assert.deepEqual(await json(cli, 'movements', 'prune', '--yes', '--keep-days', '1'), {
      movements: 0,
      start: { sequence: 0, recordedAt: null },
      prune: null,
    });
    assert.equal((await json(cli, 'openapi')).openapi, '3.1.1');
  });
}

test('a rotated key keeps its own expiry if that is sooner, and its successor lives as long', async (t) => {
  const { cli } = await newShop(t);
  const made = await json(cli, 'keys', 'create', '--account', 'shop', '--expires', '12h');
  const rotated = await json(cli, 'keys', 'rotate', String(made.id));
  assert.equal(rotated.oldExpiresAt, made.expiresAt);
  const lifeMs = Date.parse(String(rotated.expiresAt)) - Date.parse(String(rotated.createdAt));
  assert.ok(Math.abs(lifeMs - DAY_MS / 2) < 60_000, `${lifeMs}`);

  const twice = await cli('keys', 'rotate', String(made.id));
  assert.equal(twice.code, 1);
  const remedy = 'rotate that one, or revoke this one to end it now';
  assert.ok(twice.stderr.includes(`was replaced by ${String(rotated.id)} already; ${remedy}`));
  await json(cli, 'keys', 'revoke', '--yes', String(rotated.id));
  const revoked = await cli('keys', 'rotate', String(rotated.id));
  assert.equal(revoked.code, 1);
  assert.match(revoked.stderr, /is revoked, so it cannot be rotated/);
});

test('people get text: a key once and ready to copy, and tables', async (t) => {
  const { cli } = await newShop(t);
  const { stdout } = await cli('keys', 'create', '--account', 'shop', '--expires', '2099-12-31T23:59:59Z');
  assert.match(stdout, /account shop \(plan pro\), shown only this once:\n\n {2}psk_live_\w{38}\n\n/);
  assert.match(stdout, /expires {2}2099-12-31 23:59 UTC\n/);
  const list = await cli('keys', 'list');
  assert.match(
    list.stdout,
    /^ID .*EXPIRES .*\nkey_\w{16} {2}psk_live_…\w{4} {2}shop .* {2}active {2}all .*\n$/,
  );
  assert.match((await cli('verify')).stdout, /^0 pets, 0 movements: everything is as the ledger says\.\n$/);
});

test('movements prune deletes only with --yes, counts with --dry-run, and reports where the ledger begins', async (t) => {
  const { folder, cli } = await newShop(t);
  for (const quantity of [1, 2, 3]) {
    writeFileSync(join(folder, 'pets.csv'), `petId,quantity\n1,${quantity}\n2,${quantity}\n`);
    await json(cli, 'pets', 'import', 'pets.csv');
  }
  assert.match((await cli('verify')).stdout, /\nThe ledger ends at movement 6, hash [0-9a-f]{64}\.\n$/);
  assert.equal(
    (await cli('movements', 'prune', '--yes', '--before', '2026-01-01')).stdout,
    '0 movements deleted. The ledger begins with its first movement.\n',
  );
  const before = new Date().toISOString();
  assert.match(
    (await cli('movements', 'prune', '--before', before, '--dry-run')).stdout,
    /^4 movements would be deleted\. The ledger would begin after movement 5, recorded [^\n]+\.\nNothing was changed\.\n$/,
  );
  for (const options of [[], ['--json']]) {
    const { code, stdout, stderr } = await cli('movements', 'prune', '--before', before, ...options);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /deletes history for good\. Add --yes .* --dry-run .*Nothing was deleted\./);
  }
  assert.match((await cli('verify')).stdout, /^2 pets, 6 movements: /, 'nothing was deleted until now');
  assert.match(
    (await cli('movements', 'prune', '--yes', '--before', before)).stdout,
    /^4 movements deleted\. The ledger begins after movement 5, recorded \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\nPrune 1 is recorded after movement 6, hash [0-9a-f]{64}\.\n$/,
  );
  const again = await json(cli, 'movements', 'prune', '--yes', '--before', before);
  assert.equal(again.movements, 0);
  assert.match(JSON.stringify(again.start), /^\{"sequence":5,"recordedAt":"\d{4}-[^"]+Z"\}$/);
  assert.match((await cli('verify')).stdout, /^2 pets, 2 movements: everything is as the ledger says\.\n/);
});

test('verify reports the first bad movement, exits with 1, and prints one document with --json', async (t) => {
  const { folder, cli } = await newShop(t);
  writeFileSync(join(folder, 'pets.csv'), 'petId,quantity\n1,1\n2,2\n');
  await json(cli, 'pets', 'import', 'pets.csv');
  const database = new DatabaseSync(join(folder, 'petstore.db'));
  database.exec("DROP TRIGGER movements_are_final; UPDATE movements SET actor = 'x' WHERE sequence = 2");
  database.close();
  const { code, stdout, stderr } = await cli('verify');
  assert.equal(code, 1);
  assert.equal(
    stdout,
    '2 pets, 2 movements.\nThe first bad movement is 2.\nMovement 2 does not match its hash: it was changed, or movement 1.\n',
  );
  assert.match(stderr, /^error: 1 fault found; restore a backup/);

  const programs = await cli('verify', '--json');
  assert.deepEqual([programs.code, programs.stderr], [1, '']);
  const report = JSON.parse(programs.stdout) as { firstBadSequence: number; faults: string[] };
  assert.deepEqual([report.firstBadSequence, report.faults.length], [2, 1]);
});

test('a reader that closes early causes no failure', async (t) => {
  if (isSkippedDaily(t)) return;
  const folder = temporaryFolder(t);
  const env = environmentOf(folder);
  const words = [fileURLToPath(new URL('../../src/main.ts', import.meta.url)), 'openapi'];
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  assert.deepEqual([code, stderr], [0, '']);
});

test('the document is written to a file with the bytes that are printed', async (t) => {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  const { code } = await cli('openapi', '--output', 'openapi.json');
  assert.equal(code, 0);
  assert.equal(readFileSync(join(folder, 'openapi.json'), 'utf8'), (await cli('openapi')).stdout);
});
