import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { Order } from '../../src/domain/orders/orders.ts';
import type { WriteCommand } from '../../src/domain/write-command.ts';
import type { OpenedAdminStore } from '../../src/store/schema/database-metadata.ts';
import {
  type CommandLine,
  commandLine,
  json,
  newCliShop,
  petRow,
  temporaryFolder,
} from '../support/command-line.ts';
import type { TestDatabase } from '../support/test-database.ts';

/** Sets the title of the window, reverses text, and begins a line. */
const HOSTILE = '\u001b]0;x\u0007\u202e\nowned';
const OBEYED = /(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const DAY_MS = 86_400_000;
const LARGE_ID = 9_007_199_254_740_993n;

async function newShop(
  t: TestContext,
): Promise<{ cli: CommandLine; store: OpenedAdminStore; database: TestDatabase }> {
  const { store, cli, database } = await newCliShop(t);
  const rows = [1n, 2n, LARGE_ID].map((petId) => petRow(petId, { quantity: 1_000_000 }));
  await store.importPets(rows, 'cli');
  return { cli, store, database };
}

async function done(store: OpenedAdminStore, command: WriteCommand): Promise<Order> {
  const result = await store.write(command, CLI_AUTHOR);
  assert.ok(result.kind === 'order' && result.code === 'done' && result.order, JSON.stringify(result.code));
  return result.order;
}

interface NewOrder {
  readonly lines?: readonly (readonly [petId: bigint, quantity: number])[];
  readonly referenceId?: string;
  readonly note?: string;
  readonly expiresAtMs?: number;
}

function place(
  store: OpenedAdminStore,
  { lines = [[1n, 1]], referenceId, note, expiresAtMs }: NewOrder = {},
) {
  return done(store, {
    kind: 'place',
    lines: lines.map(([petId, quantity]) => ({ petId, quantity })),
    expiresAtMs: expiresAtMs ?? null,
    explanation: { ...UNEXPLAINED, referenceId: referenceId ?? null, note: note ?? 'by phone' },
  });
}

/** The ids of the orders that a list shows. */
async function listed(cli: CommandLine, ...options: readonly string[]): Promise<unknown[]> {
  const orders = (await json(cli, 'orders', 'list', ...options)) as unknown as { orderId: number }[];
  return orders.map(({ orderId }) => orderId);
}

/** Runs command lines, and expects that nothing in their output is a command to the terminal, or begins a line. */
async function requireSafe(cli: CommandLine, lines: readonly string[]): Promise<void> {
  for (const line of lines.flatMap((words) => [words, `${words} --json`])) {
    const { code, stdout } = await cli(...line.split(' '));
    assert.equal(code, 0, line);
    assert.match(stdout, /owned|Rex/, line);
    assert.doesNotMatch(stdout, OBEYED, line);
    assert.doesNotMatch(stdout, /^owned/m, line);
  }
}

test('texts of orders and pets cannot command the terminal, and cannot begin a line', async (t) => {
  const { store, cli } = await newShop(t);
  await place(store, { referenceId: HOSTILE, note: HOSTILE });
  await json(cli, 'pets', 'edit', '1', '--name', 'Rex \u202e');
  await requireSafe(cli, ['orders list', 'orders show 1', 'pets list', 'activity']);
  const { stdout } = await cli('orders', 'show', '1');
  assert.ok(stdout.includes('reference  \\u001b]0;x\\u0007\\u202e\\u000aowned\n'), stdout);
  assert.equal((await json(cli, 'orders', 'show', '1')).note, HOSTILE);
});

test('the description of a webhook endpoint cannot command the terminal, and cannot begin a line', async (t) => {
  const cli = commandLine(temporaryFolder(t));
  await json(cli, 'migrate');
  await json(cli, 'accounts', 'create', 'shop', '--plan', 'pro');
  const words = ['--account', 'shop', '--url', 'https://shop.example/hook', '--description', HOSTILE];
  const { endpoint } = (await json(cli, 'webhooks', 'create', ...words)) as { endpoint?: { id: string } };
  await requireSafe(cli, [`webhooks show ${endpoint?.id}`]);
});

test('orders list shows the newest first, as filtered, up to a limit', async (t) => {
  const { cli, store } = await newShop(t);
  assert.deepEqual(await cli('orders', 'list'), {
    code: 0,
    stdout: 'There are no such orders.\n',
    stderr: '',
  });
  assert.deepEqual(await listed(cli), []);
  const first = await place(store, {
    lines: [
      [1n, 1_200],
      [2n, 5],
    ],
    referenceId: 'web 1',
  });
  await place(store, {
    lines: [[LARGE_ID, 2]],
    referenceId: 'web 2',
    expiresAtMs: (await store.now()) + DAY_MS,
  });
  await place(store, { lines: [[2n, 3]] });
  await done(store, { kind: 'step', step: 'approve', orderId: 1 });
  await done(store, { kind: 'step', step: 'deliver', orderId: 1, lines: [{ petId: 2n }] });

  assert.deepEqual(await listed(cli), [3, 2, 1]);
  assert.deepEqual(await listed(cli, '--limit', '2'), [3, 2]);
  assert.deepEqual(await listed(cli, '--status', 'approved'), [1]);
  assert.deepEqual(await listed(cli, '--status', 'expired'), []);
  assert.deepEqual(await listed(cli, '--pet', '2'), [3, 1]);
  assert.deepEqual(await listed(cli, '--pet', `${LARGE_ID}`), [2]);
  assert.deepEqual(await listed(cli, '--pet', `${LARGE_ID - 1n}`), []);
  assert.deepEqual(await listed(cli, '--reference', 'web 2'), [2]);
  assert.deepEqual(await listed(cli, '--pet', '1', '--status', 'placed'), []);
  assert.deepEqual(await listed(cli, '--since', new Date(first.createdAtMs).toISOString()), [3, 2, 1]);
  assert.deepEqual(await listed(cli, '--since', '2026-01-01'), [3, 2, 1]);

  const { stdout } = await cli('orders', 'list');
  const lines = stdout.split('\n');
  assert.match(lines[0] ?? '', /^ORDER +STATUS +REFERENCE +PETS +UNITS +RESERVED +PLACED +EXPIRES +BY$/);
  const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC';
  assert.match(lines[1] ?? '', new RegExp(`^ +3 +placed +1 +3 +3 +${time} +never +cli$`));
  assert.match(lines[2] ?? '', new RegExp(`^ +2 +placed +web 2 +1 +2 +2 +${time} +${time} +cli$`));
  assert.match(lines[3] ?? '', new RegExp(`^ +1 +approved +web 1 +2 +1,205 +1,200 +${time} +cli$`));
  const cut = await cli('orders', 'list', '--limit', '2');
  assert.match(cut.stdout, /\nThere are more orders; --limit shows more of them, --all shows all\.\n$/);
});

test('orders show has the lines with all their units', async (t) => {
  const { cli, store } = await newShop(t);
  await place(store, {
    lines: [
      [1n, 1_200],
      [LARGE_ID, 5],
    ],
    referenceId: 'web-1',
  });
  await done(store, { kind: 'step', step: 'approve', orderId: 1 });
  const lines = [{ petId: 1n, quantity: 200 }];
  await done(store, { kind: 'step', step: 'deliver', orderId: 1, lines });
  const order = await done(store, {
    kind: 'step',
    step: 'return',
    orderId: 1,
    lines: [{ petId: 1n, quantity: 2 }],
  });

  const { code, stdout } = await cli('orders', 'show', '1', '--json');
  assert.equal(code, 0);
  const placedAt = new Date(order.createdAtMs).toISOString();
  const updatedAt = new Date(order.updatedAtMs).toISOString();
  assert.equal(
    stdout,
    `{"orderId":1,"status":"approved","version":4,"lines":[{"petId":1,"quantity":1200,"delivered":200,"returned":2,"reserved":1000},{"petId":${LARGE_ID},"quantity":5,"delivered":0,"returned":0,"reserved":5}],"referenceId":"web-1","note":"by phone","expiresAt":null,"createdAt":"${placedAt}","updatedAt":"${updatedAt}","actor":{"keyId":null,"name":"cli"}}\n`,
  );
  const minute = (text: string) => text.slice(0, 16).replace('T', ' ');
  assert.equal(
    (await cli('orders', 'show', '1')).stdout,
    [
      'Order 1 is approved.',
      '',
      `  placed     ${minute(placedAt)} UTC by cli`,
      `  changed    ${minute(updatedAt)} UTC (version 4)`,
      '  reference  web-1',
      '  note       by phone',
      '',
      '             PET  ORDERED  DELIVERED  RETURNED  RESERVED',
      '               1    1,200        200         2     1,000',
      '9007199254740993        5          0         0         5',
      '',
    ].join('\n'),
  );
});

test('orders expire expires what is due, and one placed order before its time', async (t) => {
  const { cli, store, database } = await newShop(t);
  const nothing = await cli('orders', 'expire');
  assert.deepEqual(nothing, { code: 0, stdout: 'No placed order is due.\n', stderr: '' });
  for (let i = 0; i < 3; i += 1) await place(store);
  await done(store, { kind: 'step', step: 'approve', orderId: 2 });
  await database.run('UPDATE orders SET expires_at = 1');
  await place(store, {
    lines: [
      [1n, 3],
      [2n, 4],
    ],
  });
  assert.deepEqual(await json(cli, 'orders', 'expire'), { expired: 2 });
  assert.deepEqual(await json(cli, 'orders', 'expire'), { expired: 0 });
  assert.deepEqual(await listed(cli, '--status', 'expired'), [3, 1]);

  assert.equal(
    (await cli('orders', 'expire', '--yes', '4')).stdout,
    'Order 4 is expired; 7 units released.\n',
  );
  for (const [orderId, message] of [
    ['4', 'Order 4 is expired. Only a placed order can expire; nothing was changed.'],
    ['2', 'Order 2 is approved. Only a placed order can expire; nothing was changed.'],
    ['5', 'There is no order 5; petstore-server orders list shows the newest.'],
  ] as const) {
    const refused = await cli('orders', 'expire', '--yes', orderId);
    assert.deepEqual(refused, { code: 1, stdout: '', stderr: `error: ${message}\n` });
  }
  const [pet] = (await json(cli, 'pets', 'thresholds', '1')) as unknown as { reserved: number }[];
  assert.equal(pet?.reserved, 1, 'only the approved order reserves units');
  assert.deepEqual((await json(cli, 'verify')).faults, []);
});

test('orders list and orders expire take more than one page', async (t) => {
  const { cli, store, database } = await newShop(t);
  const expiresAtMs = (await store.now()) + DAY_MS;
  for (let i = 1; i <= 105; i += 1) await place(store, { lines: [[i % 10 === 0 ? 2n : 1n, 1]], expiresAtMs });
  const newest = Array.from({ length: 105 }, (_, i) => 105 - i);
  assert.deepEqual(await listed(cli, '--oldest-first', '--all'), newest.toReversed());
  const part = await cli('orders', 'list', '--json');
  const shown = (JSON.parse(part.stdout) as { orderId: number }[]).map(({ orderId }) => orderId);
  assert.deepEqual(shown, newest.slice(0, 20));
  assert.match(part.stderr, /^There are more orders; /);
  assert.deepEqual(await listed(cli, '--all'), newest);
  assert.deepEqual(await listed(cli, '--limit', '103'), newest.slice(0, 103));
  assert.deepEqual(await listed(cli, '--limit', '10000'), newest);
  const tens = newest.filter((orderId) => orderId % 10 === 0);
  assert.deepEqual(await listed(cli, '--limit', '100', '--pet', '2'), tens);

  await database.run('UPDATE orders SET expires_at = 1');
  assert.equal((await cli('orders', 'expire')).stdout, '105 orders expired.\n');
  assert.deepEqual(await listed(cli, '--status', 'placed'), []);
});

test('orders expire --dry-run shows what would expire, and changes nothing', async (t) => {
  const { store, cli, database } = await newShop(t);
  for (let i = 0; i < 3; i += 1) await place(store);
  await database.run('UPDATE orders SET expires_at = 1');
  await place(store, { expiresAtMs: (await store.now()) + DAY_MS });
  assert.equal(
    (await cli('orders', 'expire', '--dry-run')).stdout,
    '3 orders would expire.\nNothing was changed.\n',
  );
  assert.equal(
    (await cli('orders', 'expire', '--dry-run', '--json')).stdout,
    '{"dryRun":true,"expired":3}\n',
  );
  const one = await cli('orders', 'expire', '--yes', '4', '--dry-run');
  assert.equal(one.stdout, 'Order 4 would expire; 1 unit would be released.\nNothing was changed.\n');
  assert.match((await cli('orders', 'expire', '--yes', '9', '--dry-run')).stderr, /There is no order 9/);
  assert.equal((await cli('orders', 'expire')).stdout, '3 orders expired.\n');
  const done = await cli('orders', 'expire', '--yes', '1', '--dry-run');
  assert.match(done.stderr, /Order 1 is expired\. Only a placed order can expire/);
});
