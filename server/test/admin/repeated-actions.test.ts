import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { ADMIN_DOCUMENT, DOCUMENT, operationsIn } from '../support/openapi-document.ts';
import { petRow } from '../support/pet-rows.ts';
import { until } from '../support/until.ts';
import { cookieOf, signIn } from './cookie-requests.ts';
import { isSkippedDaily } from '../support/long-test.ts';

/**
 * Actions without an `Idempotency-Key`: a client whose response is lost sends them again. Each is sent twice in a row, twice
 * concurrently, and concurrently with each other action on the same record.
 */

interface Request {
  readonly method: string;
  /** Below `/admin/v1`, unless it begins with `/v1`. */
  readonly path: string;
  readonly body?: object;
  /** `null` with a cookie. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
}

/** The status of a success, or the code of an error. */
type Outcome = number | string;

interface Action {
  readonly operationId: string;
  readonly request: Omit<Request, 'path'> & { readonly path: string | ((id: string) => string) };
  /** What the same request gets twice in a row. Concurrently the two outcomes are the same, in either order. */
  readonly twice: readonly [Outcome, Outcome];
}

interface Kind {
  readonly actions: readonly Action[];
  /** Makes a record, and returns its id. */
  readonly make: (app: TestApp) => Promise<string>;
  /** What is left of the record: equal for records that were treated alike. */
  readonly stateOf: (app: TestApp, id: string) => Promise<string>;
}

let made = 0;

function fresh(word: string): string {
  made += 1;
  return `${word} ${made}`;
}

async function send(app: TestApp, { method, path, body, key, headers }: Request) {
  const target = path.startsWith('/v1') ? path : `/admin/v1${path}`;
  return app.request(method, target, {
    key: key === undefined ? await adminKeyOf(app) : key,
    headers: headers ?? {},
    ...(body && { body: JSON.stringify(body) }),
  });
}

const adminKeys = new WeakMap<TestApp, Promise<string>>();

function adminKeyOf(app: TestApp): Promise<string> {
  const key = adminKeys.get(app) ?? app.makeAdminKey('administrator').then((one) => one.key);
  adminKeys.set(app, key);
  return key;
}

function outcomeOf({
  status,
  code,
}: {
  readonly status: number;
  readonly code: string | undefined;
}): Outcome {
  return code ?? status;
}

/** A response without what differs between records: ids, secrets, times, sequences and tags. */
async function read(app: TestApp, path: string): Promise<string> {
  const { status, text } = await send(app, { method: 'GET', path });
  const plain = text
    .replaceAll(/"(?:petId|sequence|lastSequence|updatedSequence)":-?\d+/g, '')
    .replaceAll(/"(?:name|hint|etag|tag|eventId|cursor)":"[^"]*"/g, '')
    .replaceAll(/\b[a-z]{3}_\w+/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  return `${status} ${plain}`;
}

async function idIn(answer: Promise<{ readonly status: number; readonly text: string }>, pattern: RegExp) {
  const { status, text } = await answer;
  const id = pattern.exec(text)?.[0];
  assert.ok(status < 300 && id !== undefined, text);
  return id;
}

const post = (path: Action['request']['path'], body?: object): Action['request'] => ({
  method: 'POST',
  path,
  ...(body && { body }),
});
const patch = (path: Action['request']['path'], body: object): Action['request'] => ({
  method: 'PATCH',
  path,
  body,
});

const ACCOUNT: Kind = {
  make: (app) =>
    idIn(
      send(app, {
        ...post('/accounts', { name: fresh('shop'), plan: 'enterprise', perMinute: 100, perDay: 1_000 }),
        path: '/accounts',
      }),
      /acc_\w+/,
    ),
  stateOf: async (app, id) =>
    `${await read(app, `/accounts/${id}`)} ${await read(app, `/keys?accountId=${id}`)}`,
  actions: [
    {
      operationId: 'updateAccount',
      request: patch((id) => `/accounts/${id}`, { plan: 'free' }),
      twice: [200, 200],
    },
    {
      operationId: 'updateAccount',
      request: patch((id) => `/accounts/${id}`, { perMinute: 700, perDay: 7_000 }),
      twice: [200, 200],
    },
    // Each makes a key, which the list of keys shows and a person can revoke.
    {
      operationId: 'createKey',
      request: { ...post('/keys'), body: { accountId: 'ID', name: 'till' } },
      twice: [201, 201],
    },
  ],
};

const keyActions = (path: string, rotate: string, revoke: string): Action[] => [
  { operationId: rotate, request: post((id) => `${path}/${id}/rotate`), twice: [201, 'conflict'] },
  { operationId: revoke, request: post((id) => `${path}/${id}/revoke`), twice: [200, 200] },
];

const KEY: Kind = {
  make: async (app) => (await app.makeKey()).principal.key.id,
  stateOf: (app, id) => read(app, `/keys/${id}`),
  actions: [
    ...keyActions('/keys', 'rotateKey', 'revokeKey'),
    { operationId: 'liftBan', request: post((id) => `/keys/${id}/lift-ban`), twice: [200, 200] },
  ],
};

const ADMIN_KEY: Kind = {
  make: async (app) => (await app.makeAdminKey('viewer')).principal.key.id,
  stateOf: (app, id) => read(app, `/admin-keys/${id}`),
  actions: keyActions('/admin-keys', 'rotateAdminKey', 'revokeAdminKey'),
};

const URL = 'https://shop.example/hooks';
const ENDPOINT: Kind = {
  make: async ({ admin, principal }) => {
    const endpoint = { accountId: principal.account.id, url: URL };
    return (await admin.webhooks.create(endpoint, 10_000, CLI_AUTHOR)).endpoint.id;
  },
  stateOf: (app, id) => read(app, `/webhook-endpoints/${id}`),
  actions: [
    {
      operationId: 'updateWebhookEndpoint',
      request: patch((id) => `/webhook-endpoints/${id}`, { description: 'web shop' }),
      twice: [200, 200],
    },
    {
      operationId: 'rotateWebhookSecret',
      request: post((id) => `/webhook-endpoints/${id}/rotate`),
      twice: [200, 'conflict'],
    },
    {
      operationId: 'pauseWebhookEndpoint',
      request: post((id) => `/webhook-endpoints/${id}/pause`),
      twice: [200, 200],
    },
    {
      operationId: 'resumeWebhookEndpoint',
      request: post((id) => `/webhook-endpoints/${id}/resume`),
      twice: [200, 200],
    },
    {
      operationId: 'replayWebhookEvents',
      request: post((id) => `/webhook-endpoints/${id}/replay?after=0.0`),
      twice: [200, 200],
    },
    {
      operationId: 'deleteWebhookEndpoint',
      request: { method: 'DELETE', path: (id) => `/webhook-endpoints/${id}` },
      twice: [204, 'not_found'],
    },
  ],
};

let petIds = 100_000;
const PET: Kind = {
  make: async (app) => {
    petIds += 1;
    await send(app, { method: 'POST', path: '/pets', body: { petId: petIds, name: 'Rex' } });
    return String(petIds);
  },
  // The message of a pet that was deleted names its petId.
  stateOf: async (app, id) => (await read(app, `/pets/${id}`)).replaceAll(id, 'ID'),
  actions: [
    {
      operationId: 'updatePet',
      request: patch((id) => `/pets/${id}`, { category: 'dog', lowStockAt: 3 }),
      twice: [200, 200],
    },
    {
      operationId: 'updateReorder',
      request: patch((id) => `/reorders/${id}`, { ordered: 140, supplier: 'Zoo Wholesale' }),
      twice: [200, 200],
    },
    { operationId: 'archivePet', request: post((id) => `/pets/${id}/archive`), twice: [200, 200] },
    { operationId: 'restorePet', request: post((id) => `/pets/${id}/restore`), twice: [200, 200] },
    {
      operationId: 'deletePet',
      request: { method: 'DELETE', path: (id) => `/pets/${id}` },
      twice: [204, 'not_found'],
    },
  ],
};

const KINDS: Readonly<Record<string, Kind>> = {
  'an account': ACCOUNT,
  'a key': KEY,
  'a management key': ADMIN_KEY,
  'a webhook endpoint': ENDPOINT,
  'a pet': PET,
};

/** A request that is made for each of its uses, and what it gets in a row and concurrently. */
interface Single {
  readonly requestOf: (app: TestApp) => Promise<Request> | Request;
  /** Each is allowed where a thread of its own works on the record meanwhile. */
  readonly inARow: readonly (readonly [Outcome, Outcome])[];
  readonly concurrently: readonly (readonly [Outcome, Outcome])[];
}

function single(requestOf: Single['requestOf'], ...inARow: [Outcome, Outcome]): Single {
  return { requestOf, inARow: [inARow], concurrently: [inARow] };
}

async function importOf(app: TestApp, state: 'planned' | 'applied'): Promise<string> {
  const headers = { 'Content-Type': 'text/csv' };
  const key = await adminKeyOf(app);
  const sent = app.request('POST', '/admin/v1/imports?mode=add', {
    key,
    headers,
    body: 'petId,quantity\n1,1\n',
  });
  const id = await idIn(sent, /imp_\w+/);
  return reached(app, `/imports/${id}`, state);
}

/** The path of a plan that has become `planned`, and is applied if that is wanted. */
async function reached(app: TestApp, path: string, state: 'planned' | 'applied'): Promise<string> {
  const reach = (wanted: string) =>
    until(async () => (await read(app, path)).includes(`"state":"${wanted}"`), wanted);
  await reach('planned');
  if (state === 'planned') return path;
  await send(app, { method: 'POST', path: `${path}/apply` });
  await reach(state);
  return path;
}

async function bulkChangeOf(app: TestApp, state: 'planned' | 'applied'): Promise<string> {
  const body = { petIds: [1], set: { category: fresh('category') } };
  const id = await idIn(send(app, { method: 'POST', path: '/bulk-changes', body }), /blk_\w+/);
  return reached(app, `/bulk-changes/${id}`, state);
}

async function cookieFor(app: TestApp): Promise<string> {
  return cookieOf(await signIn(app, { key: (await app.makeAdminKey('viewer')).key }));
}

const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };

const SINGLES: Readonly<Record<string, Single>> = {
  createAccount: single(
    () => ({ method: 'POST', path: '/accounts', body: { name: fresh('shop'), plan: 'free' } }),
    201,
    'conflict',
  ),
  createPet: single(
    () => {
      petIds += 1;
      return { method: 'POST', path: '/pets', body: { petId: petIds, name: 'Rex' } };
    },
    201,
    'conflict',
  ),
  // The lists show both, and a person removes the one that is not needed.
  createAdminKey: single(() => ({ method: 'POST', path: '/admin-keys', body: { role: 'viewer' } }), 201, 201),
  createWebhookEndpoint: single(
    ({ principal }) => ({
      method: 'POST',
      path: '/webhook-endpoints',
      body: { accountId: principal.account.id, url: URL },
    }),
    201,
    201,
  ),
  createSession: single(
    async (app) => ({
      method: 'POST',
      path: '/session',
      key: null,
      body: { key: (await app.makeAdminKey('viewer')).key },
    }),
    200,
    200,
  ),
  endSession: {
    requestOf: async (app) => {
      const headers = { Cookie: await cookieFor(app), ...SAME_ORIGIN };
      return { method: 'DELETE', path: '/session', key: null, headers };
    },
    inARow: [[204, 'session_ended']],
    // Both may be authenticated before the session ends.
    concurrently: [
      [204, 204],
      [204, 'session_ended'],
    ],
  },
  revokeSession: single(
    async (app) => {
      await cookieFor(app);
      const { text } = await send(app, { method: 'GET', path: '/sessions' });
      return { method: 'DELETE', path: `/sessions/${/ses_\w+/.exec(text)?.[0]}` };
    },
    204,
    'not_found',
  ),
  setImportMapping: single(
    () => ({
      method: 'PUT',
      path: '/import-mappings/Zoo',
      body: { columns: [{ heading: 'Artikel', field: 'sku' }] },
    }),
    200,
    200,
  ),
  deleteImportMapping: single(
    async ({ admin }) => {
      const columns = [{ heading: 'Artikel', field: 'sku' as const }];
      const mapping = { columns, decimal: null, encoding: null, sheet: null };
      await admin.importMappings.set('Old', mapping, CLI_AUTHOR);
      return { method: 'DELETE', path: '/import-mappings/Old' };
    },
    204,
    'not_found',
  ),
  setSavedViews: single(() => ({ method: 'PUT', path: '/saved-views', body: { views: [] } }), 200, 200),
  setThresholds: single(
    () => ({ method: 'PUT', path: '/thresholds', body: { lowStockAt: 3, restockAt: 5 } }),
    200,
    200,
  ),
  pruneLedger: single(
    () => ({
      method: 'POST',
      path: '/ledger/prune',
      body: { before: '2020-01-01T00:00:00Z', acceptClock: true },
    }),
    200,
    200,
  ),
  // An instance runs one at a time.
  verifyLedger: {
    requestOf: () => ({ method: 'POST', path: '/ledger/verify' }),
    inARow: [[200, 200]],
    concurrently: [
      [200, 200],
      [200, 'conflict'],
    ],
  },
  applyBulkChange: single(
    async (app) => ({ method: 'POST', path: `${await bulkChangeOf(app, 'planned')}/apply` }),
    202,
    'conflict',
  ),
  undoBulkChange: single(
    async (app) => ({ method: 'POST', path: `${await bulkChangeOf(app, 'applied')}/undo` }),
    202,
    'conflict',
  ),
  cancelBulkChange: single(
    async (app) => ({ method: 'POST', path: `${await bulkChangeOf(app, 'planned')}/cancel` }),
    200,
    'conflict',
  ),
  planImport: {
    requestOf: async (app) => ({ method: 'POST', path: `${await importOf(app, 'planned')}/plan` }),
    // The second may come while the first is worked on.
    inARow: [
      [202, 202],
      [202, 'conflict'],
    ],
    concurrently: [
      [202, 202],
      [202, 'conflict'],
    ],
  },
  // Each is in the list, and one of them is closed without a count.
  startStocktake: single(() => ({ method: 'POST', path: '/stocktakes', body: { name: 'Autumn' } }), 201, 201),
  closeStocktake: single(
    async (app) => ({ method: 'POST', path: `${await stocktakeOf(app)}/close` }),
    200,
    200,
  ),
  cancelStocktake: single(
    async (app) => ({ method: 'POST', path: `${await stocktakeOf(app)}/cancel` }),
    200,
    200,
  ),
  undoStocktake: single(
    async (app) => {
      const path = await stocktakeOf(app);
      await send(app, { method: 'POST', path: `${path}/close` });
      return { method: 'POST', path: `${path}/undo` };
    },
    200,
    200,
  ),
  applyImport: single(
    async (app) => ({ method: 'POST', path: `${await importOf(app, 'planned')}/apply` }),
    202,
    'conflict',
  ),
  // The second gets the plan of the first.
  undoImport: single(
    async (app) => ({ method: 'POST', path: `${await importOf(app, 'applied')}/undo` }),
    202,
    202,
  ),
  cancelImport: single(
    async (app) => ({ method: 'POST', path: `${await importOf(app, 'planned')}/cancel` }),
    200,
    'conflict',
  ),
  deleteImport: single(
    async (app) => ({ method: 'DELETE', path: await importOf(app, 'planned') }),
    204,
    'not_found',
  ),
};

/** Each request makes what other tests see: another upload, another plan, another message. */
const MADE_EACH_TIME = ['createImport', 'createBulkChange', 'testWebhookEndpoint', 'resendWebhookEvent'];

/** A stock-take with a difference that its close posts. */
async function stocktakeOf({ admin: { stocktakes } }: TestApp): Promise<string> {
  const { id } = await stocktakes.start({ name: 'Autumn', scope: {}, posting: 'at_close' }, CLI_AUTHOR);
  const count = { petId: 1n, counted: 40, note: null, occurredAtMs: null };
  await stocktakes.count(id, count, { ...CLI_AUTHOR, actorName: 'cli' });
  return `/stocktakes/${id}`;
}

/** The request of an action for a record. */
function requestFor({ request }: Action, id: string): Request {
  const { path, body } = request;
  const filled = body && (JSON.parse(JSON.stringify(body).replaceAll('"ID"', `"${id}"`)) as object);
  return { ...request, path: typeof path === 'string' ? path : path(id), ...(filled && { body: filled }) };
}

async function startShop(t: TestContext): Promise<TestApp> {
  return startApp(t, { pets: [petRow(1n, 50)] });
}

test('every action without an Idempotency-Key is in the table', () => {
  const named = new Set(Object.values(KINDS).flatMap(({ actions }) => actions.map((one) => one.operationId)));
  for (const document of [DOCUMENT, ADMIN_DOCUMENT]) {
    for (const { method, operation } of operationsIn(document)) {
      if (
        method.toLowerCase() === 'get' ||
        JSON.stringify(operation.parameters ?? []).includes('Idempotency-Key')
      )
        continue;
      assert.ok(
        named.has(operation.operationId) ||
          operation.operationId in SINGLES ||
          MADE_EACH_TIME.includes(operation.operationId),
        `${operation.operationId} is in KINDS, SINGLES or MADE_EACH_TIME`,
      );
    }
  }
});

for (const [name, kind] of Object.entries(KINDS)) {
  test(`actions on ${name}: twice in a row, twice concurrently, and beside each other action`, async (t) => {
    const app = await startShop(t);
    for (const action of kind.actions) {
      const what = `${action.operationId} ${JSON.stringify(action.request.body ?? '')}`;
      const [one, other] = [await kind.make(app), await kind.make(app)];
      const inARow: Outcome[] = [];
      for (let i = 0; i < 2; i += 1) inARow.push(outcomeOf(await send(app, requestFor(action, one))));
      assert.deepEqual(inARow, action.twice, what);
      const answers = await Promise.all([0, 1].map(() => send(app, requestFor(action, other))));
      assert.deepEqual(
        answers.map(outcomeOf).map(String).toSorted(),
        action.twice.map(String).toSorted(),
        `${what}, concurrently`,
      );
      assert.equal(await kind.stateOf(app, other), await kind.stateOf(app, one), what);
    }

    // Each pair has the results of one of them after the other.
    for (const [i, first] of kind.actions.entries()) {
      for (const second of kind.actions.slice(i + 1)) {
        const what = `${first.operationId} and ${second.operationId}`;
        const serial: string[] = [];
        for (const order of [
          [first, second],
          [second, first],
        ]) {
          const id = await kind.make(app);
          const outcomes = new Map<Action, Outcome>();
          for (const action of order)
            outcomes.set(action, outcomeOf(await send(app, requestFor(action, id))));
          serial.push(
            JSON.stringify([outcomes.get(first), outcomes.get(second), await kind.stateOf(app, id)]),
          );
        }
        for (let round = 0; round < 2; round += 1) {
          const id = await kind.make(app);
          const pair = round === 0 ? [first, second] : [second, first];
          const answers = await Promise.all(pair.map((action) => send(app, requestFor(action, id))));
          const outcomes = answers.map(outcomeOf);
          const [a, b] = round === 0 ? outcomes : outcomes.toReversed();
          const seen = JSON.stringify([a, b, await kind.stateOf(app, id)]);
          assert.ok(serial.includes(seen), `${what}: ${seen}\nis neither ${serial.join('\nnor     ')}`);
        }
      }
    }
  });
}

test('creations and single actions, sent twice in a row and twice concurrently', async (t) => {
  const app = await startShop(t);
  const isAllowed = (outcomes: readonly Outcome[], allowed: Single['inARow']) =>
    allowed.some((pair) => pair.map(String).toSorted().join() === outcomes.map(String).toSorted().join());
  for (const [operationId, { requestOf, inARow, concurrently }] of Object.entries(SINGLES)) {
    const request = await requestOf(app);
    const first = outcomeOf(await send(app, request));
    const outcomes = [first, outcomeOf(await send(app, request))];
    assert.ok(first === inARow[0]?.[0] && isAllowed(outcomes, inARow), `${operationId}: ${outcomes.join()}`);
    const other = await requestOf(app);
    const seen = (await Promise.all([send(app, other), send(app, other)])).map(outcomeOf);
    assert.ok(isAllowed(seen, concurrently), `${operationId}, concurrently: ${seen.join()}`);
  }
});

test('an import whose application is sent twice, also while it is cancelled, adds its units once or not at all', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startShop(t);
  const key = await adminKeyOf(app);
  let expected = 50;
  for (let round = 0; round < 6; round += 1) {
    const path = await importOf(app, 'planned');
    const steps = ['apply', round % 2 === 0 ? 'apply' : 'cancel', 'apply'];
    await Promise.all(steps.map((step) => send(app, { method: 'POST', path: `${path}/${step}` })));
    const isSettled = async () => /"state":"(?:applied|cancelled)"/.test(await read(app, path));
    await until(isSettled, 'the import is settled');
    if ((await read(app, path)).includes('"applied"')) expected += 1;
    const { json } = await app.request('GET', '/admin/v1/inventory/1', { key });
    assert.equal((json as { quantity: number }).quantity, expected);
  }
});
