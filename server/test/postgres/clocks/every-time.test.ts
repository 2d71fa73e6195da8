import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNEXPLAINED } from '../../../src/domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { cookieOf, signIn } from '../../admin/cookie-requests.ts';
import { EFFECTIVE_REQUESTS, newMappingPath } from '../../admin/effective-requests.ts';
import { ADMIN_REQUESTS, type AdminRequest, pathOf } from '../../admin/requests.ts';
import type { TestApp } from '../../support/harness.ts';
import {
  DOCUMENTS,
  type OpenApiDocument,
  type OperationObject,
  operationsIn,
  resolved,
  type Schema,
} from '../../support/openapi-document.ts';
import { petRow } from '../../support/pet-rows.ts';
import { sampleOf } from '../../support/sample-requests.ts';
import { useEngine } from '../../support/test-database.ts';
import { until } from '../../support/until.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';
import { at, HOUR_MS, startSkewed, TOLERANCE_MS } from './skewed-services.ts';

useEngine(new PostgresEngine());

const DAY_MS = 24 * HOUR_MS;
const HOLD_MS = HOUR_MS;
/** The movements of this time are pruned. */
const OLD_MS = 3 * DAY_MS;

/** How far the times of a name are from the time at which they are made, where that is not 0. */
const DISTANCES_MS: Readonly<Record<string, readonly number[]>> = {
  // Of sessions, of orders, and of keys that were rotated.
  expiresAt: [DAY_MS, HOLD_MS],
  expires_at: [DAY_MS, HOLD_MS],
  held_until: [HOLD_MS],
  idleExpiresAt: [8 * HOUR_MS],
  oldExpiresAt: [DAY_MS],
  previousSecretExpiresAt: [DAY_MS],
  previous_secret_expires_at: [DAY_MS],
  createdAt: [0, -OLD_MS],
  created_at: [0, -OLD_MS],
  // The hours of a day.
  beganAt: Array.from({ length: 24 }, (_, i) => -i * HOUR_MS),
  recordedAt: [0, -OLD_MS],
  recorded_at: [0, -OLD_MS],
  start_recorded_at: [-OLD_MS],
  retentionStart: [-OLD_MS],
  since: [-DAY_MS],
  endsAt: [HOUR_MS],
  // Of bans and of sessions.
  ends_at: [HOUR_MS, DAY_MS],
};
/** The beginnings of hours are up to an hour before. */
const FLOORED = new Set(['beganAt', 'since']);

/** Times that clients give, and that of a stock-take whose counts a prune has cut. */
const NOT_SHOWN = new Set(['occurredAt', 'updatedSince', 'prunedAt']);

const STORED_TIMES = `SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = current_schema() AND data_type = 'bigint' AND column_name ~ '(_at|_until|_since)$' ORDER BY 1, 2`;

/** A request for each operation: first those that have an effect, because the lists show it. */
const REQUESTS: Readonly<Record<string, AdminRequest>> = {
  ...ADMIN_REQUESTS,
  ...EFFECTIVE_REQUESTS,
  replayWebhookEvents: {
    // Earlier events are pruned.
    path: async (app) => {
      const path = await pathOf(app, sampleOf(ADMIN_REQUESTS, 'replayWebhookEvents'));
      return path.replace('0.0', '2.1');
    },
    status: 200,
  },
  getMovement: { path: '/movements/3', status: 200 },
  getImport: { path: async (app) => `/imports/${await newImport(app)}`, status: 200 },
  getImportMapping: { path: newMappingPath, status: 200 },
  getBulkChange: { path: async (app) => `/bulk-changes/${await newBulkChange(app)}`, status: 200 },
  listStocktakeLines: { path: async (app) => `/stocktakes/${await newCounted(app)}/report`, status: 200 },
  getOrderApproval: { path: async (app) => `/store/orders/${await newApproved(app)}/approval`, status: 200 },
};

/** What clients send otherwise: an endpoint belongs to their account. */
const CLIENT_REQUESTS: Readonly<Record<string, AdminRequest>> = {
  ...REQUESTS,
  listWebhookEndpoints: { path: '/webhook-endpoints', status: 200 },
  createWebhookEndpoint: {
    path: '/webhook-endpoints',
    body: '{"url":"https://shop.example/hooks"}',
    status: 201,
  },
};

/** Makes an endpoint whose deliveries fail, and waits until its failures are reported. */
async function failingEndpoint({ admin, principal }: TestApp): Promise<void> {
  const accountId = principal.account.id;
  const url = 'http://127.0.0.1:9/';
  const { endpoint } = await admin.webhooks.create({ accountId, url }, 100, CLI_AUTHOR);
  await admin.importPets([petRow(3n, Math.floor(Math.random() * 1e6))], 'cli');
  await until(
    async () => (await admin.webhooks.find(endpoint.id))?.failingSinceMs != null,
    'the failure of a delivery is reported',
  );
}

async function newImport({ admin }: TestApp): Promise<string> {
  const { actor } = CLI_AUTHOR;
  const id = await admin.imports.begin({ format: 'csv', mode: 'set', fileName: null, actor });
  await admin.imports.addPart(id, 0, Buffer.from('petId,quantity\n1,50\n'));
  await admin.imports.complete(id, CLI_AUTHOR);
  return id;
}

async function newBulkChange({ admin }: TestApp): Promise<string> {
  const { id } = await admin.bulkChanges.create({ petIds: [1n] }, { category: 'Dogs' }, CLI_AUTHOR);
  return id;
}

async function newCounted({ admin: { stocktakes } }: TestApp): Promise<string> {
  const { id } = await stocktakes.start({ name: 'Autumn', scope: {}, posting: 'at_close' }, CLI_AUTHOR);
  await stocktakes.count(
    id,
    { petId: 1n, counted: 5, note: null, occurredAtMs: null },
    { ...CLI_AUTHOR, actorName: 'cli' },
  );
  return id;
}

/** There may be few unfinished ones at a time. */
async function finishImports({ admin }: TestApp): Promise<void> {
  for (const { id } of await admin.imports.list({ limit: 100 })) {
    // One that is being applied will be finished.
    await admin.imports.delete(id, CLI_AUTHOR).catch(() => undefined);
  }
}

async function newApproved({ admin }: TestApp): Promise<number> {
  const lines = [{ petId: 1n, quantity: 1 }];
  const place = { kind: 'place', lines, expiresAtMs: null, explanation: UNEXPLAINED } as const;
  const placed = await admin.write(place, CLI_AUTHOR);
  assert.ok(placed.kind === 'order' && placed.order);
  const { orderId } = placed.order;
  await admin.write({ kind: 'step', step: 'approve', orderId }, CLI_AUTHOR);
  return orderId;
}

/** The names of the times in the bodies of an operation's success, from its document. */
function timeNames(document: OpenApiDocument, { responses }: OperationObject): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<Schema>();
  const visit = (part: Schema, name: string): void => {
    const schema = resolved(document, part);
    if (seen.has(schema)) return;
    seen.add(schema);
    if (schema.format === 'date-time') names.add(name);
    for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) visit(one, name);
    if (schema.items) visit(schema.items, name);
    for (const [member, of] of Object.entries(schema.properties ?? {})) visit(of, member);
  };
  for (const [status, { content = {} }] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue;
    for (const { schema } of Object.values(content)) visit(schema, '');
  }
  return names;
}

/** The times in a body with their names. */
function* timesIn(body: unknown, names: ReadonlySet<string>): Generator<[string, string]> {
  if (typeof body !== 'object' || body === null) return;
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'string' && names.has(name)) yield [name, value];
    else yield* timesIn(value, names);
  }
}

test('every time that instances with wrong clocks return and store is that of the database', async (t) => {
  const services = await startSkewed(t, {
    PETSTORE_ORDER_HOLD: String(HOLD_MS / 1_000),
    PETSTORE_WEBHOOK_NETWORKS: '127.0.0.0/8',
    PETSTORE_MAX_WEBHOOK_ENDPOINTS: '100',
  });
  const { app, now } = services;
  const startMs = await now();
  const banned = await app.makeKey();
  await app.admin.importPets([petRow(1n, 90), petRow(2n, 1)], 'cli', startMs - OLD_MS);
  await app.admin.importPets([petRow(1n, 100), petRow(2n, 2)], 'cli');
  await app.admin.recordBackup({ madeAtMs: await app.admin.now(), sequence: 2, bytes: 1 });
  // By a clock that is two hours ahead, it is over.
  await app.database.run(
    `INSERT INTO bans (key_id, level, banned_at, ends_at) VALUES ('${banned.principal.key.id}', 1, ${startMs}, ${startMs + HOUR_MS})`,
  );
  const seen = new Set<string>();
  const wrong: string[] = [];
  const check = (what: string, name: string, atMs: number) => {
    seen.add(name);
    const earlyMs = TOLERANCE_MS + (FLOORED.has(name) ? HOUR_MS : 0);
    const isRight = (DISTANCES_MS[name] ?? [0]).some(
      (ms) => atMs - ms >= startMs - earlyMs && atMs - ms <= startMs + TOLERANCE_MS,
    );
    if (!isRight) wrong.push(`${what}, ${name}: ${new Date(atMs - startMs).toISOString().slice(0, 19)}`);
  };
  const key = (await app.makeAdminKey('administrator')).key;
  const expected = new Set<string>();
  for (const clock of ['ahead', 'behind'] as const) {
    const instance = at(services[clock], app);
    const cookie = cookieOf(await signIn(instance, { key }));
    await failingEndpoint(instance);
    for (const { base, document } of DOCUMENTS) {
      for (const { operation, method } of operationsIn(document)) {
        const names = timeNames(document, operation);
        const { operationId } = operation;
        if (names.size === 0) continue;
        for (const name of names) if (!NOT_SHOWN.has(name)) expected.add(name);
        const request = sampleOf(base === '/v1' ? CLIENT_REQUESTS : REQUESTS, operationId);
        const { body } = request;
        if (operationId.includes('Import')) await finishImports(app);
        const answer = await instance.request(method, `${base}${await pathOf(instance, request)}`, {
          key: operationId === 'getSession' ? null : base === '/v1' ? app.key : key,
          headers: { Cookie: cookie },
          ...(body !== undefined && { body: typeof body === 'function' ? await body(instance) : body }),
        });
        const what = `${base} ${operationId} at the instance ${clock}`;
        assert.equal(Math.floor(answer.status / 100), 2, `${what}: ${answer.status} ${answer.text}`);
        for (const [name, time] of timesIn(answer.json, names)) check(what, name, Date.parse(time));
      }
    }
  }
  assert.deepEqual(
    [...expected].filter((name) => !seen.has(name)),
    [],
  );
  for (const [table, column] of await app.database.rows(STORED_TIMES)) {
    // A row begins with its period, which may be a day.
    if (table === 'usage_history') continue;
    // The request to prune has made some of 1970.
    const rows = await app.database.rows(`SELECT DISTINCT ${column} FROM ${table} WHERE ${column} > 9`);
    for (const [atMs] of rows) check(`stored in ${table}`, String(column), Number(atMs));
  }
  assert.deepEqual(wrong, []);
});
