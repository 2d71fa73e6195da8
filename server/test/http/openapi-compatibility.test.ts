import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BETA_UNTIL } from '../../src/http/admin/document.ts';
import { INTERFACE_DATE } from '../../src/http/request/interface-date.ts';
import { ADMIN_DOCUMENT, DOCUMENT, type OpenApiDocument, operationsIn } from '../support/openapi-document.ts';
import {
  type Announcement,
  breakingChanges,
  brokenPromises,
  forbidden,
  interfaceDate,
} from './openapi-compatibility.ts';

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const released = (name: string) => JSON.parse(textOf(`../fixtures/released/${name}`)) as OpenApiDocument;

/** The documents of the last release; `npm run release:version` writes them. */
const RELEASED = released('openapi.json');
const RELEASED_ADMIN = released('admin-openapi.json');

/** The entries of the changelog of the interface, the newest first. */
const ANNOUNCEMENTS: readonly Announcement[] = textOf('../../../docs/interface-changes.md')
  .split('\n')
  .flatMap((line) => {
    const [, date = '', operations = ''] = /^\| (\d{4}-\d\d-\d\d) \| (.*?) \| .+ \|$/.exec(line) ?? [];
    const names = [...operations.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    return date === '' ? [] : [{ date, operations: names }];
  });

test('the documents keep what the last release promised', () => {
  assert.deepEqual(brokenPromises(RELEASED, DOCUMENT, ANNOUNCEMENTS), []);
  assert.deepEqual(brokenPromises(RELEASED_ADMIN, ADMIN_DOCUMENT, ANNOUNCEMENTS), []);
});

test('docs/interface-changes.md names each operation that the last release does not have', () => {
  for (const [before, after] of [
    [RELEASED, DOCUMENT],
    [RELEASED_ADMIN, ADMIN_DOCUMENT],
  ] as const) {
    const known = new Set(operationsIn(before).map(({ operation }) => operation.operationId));
    const announced = ANNOUNCEMENTS.filter(({ date }) => date > interfaceDate(before)).flatMap(
      ({ operations }) => operations,
    );
    const added = operationsIn(after).map(({ operation }) => operation.operationId);
    const isUnknown = (id: string) => !known.has(id) && !announced.includes(id);
    assert.deepEqual(added.filter(isUnknown), []);
  }
});

test('Petstore-Version is the date of the newest entry of docs/interface-changes.md', () => {
  const dates = ANNOUNCEMENTS.map(({ date }) => date);
  assert.deepEqual(dates, dates.toSorted().toReversed(), 'the newest entry is first');
  assert.equal(dates[0], INTERFACE_DATE);
  assert.equal(interfaceDate(DOCUMENT), INTERFACE_DATE);
  assert.equal(interfaceDate(ADMIN_DOCUMENT), INTERFACE_DATE);
});

test('each operation of an announcement is there', () => {
  const ids = [DOCUMENT, ADMIN_DOCUMENT].flatMap((document) =>
    operationsIn(document).map(({ operation }) => operation.operationId),
  );
  for (const { operations } of ANNOUNCEMENTS) for (const id of operations) assert.ok(ids.includes(id), id);
});

test('the management API is beta until a date, which the policy names too', () => {
  for (const { operation } of operationsIn(ADMIN_DOCUMENT)) {
    const level = operation.operationId === 'updateInventory' ? 'experimental' : 'beta';
    assert.equal(operation['x-stability'], level, operation.operationId);
  }
  assert.ok(textOf('../../../docs/stability.md').includes(BETA_UNTIL));
  assert.ok(BETA_UNTIL > INTERFACE_DATE);
});

type Edit = (document: OpenApiDocument) => OpenApiDocument;

/** A document with one thing changed, which is reached by its steps. Only what is on the way is copied. */
function edit(steps: string, change: (parent: Record<string, unknown>, last: string) => void): Edit {
  return (original) => {
    const copied = (value: unknown) =>
      (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
    const document = copied(original);
    const path = steps.split(' ');
    const last = path.pop() as string;
    const parent = path.reduce((value, step) => {
      assert.ok(value[step] && typeof value[step] === 'object', `${steps} leads nowhere`);
      return (value[step] = copied(value[step]));
    }, document);
    if (parent[last] instanceof Object) parent[last] = copied(parent[last]);
    change(parent, last);
    return document as unknown as OpenApiDocument;
  };
}

const removed = (steps: string) =>
  edit(steps, (parent, last) => {
    assert.ok(last in parent, `${steps} is not there`);
    if (Array.isArray(parent)) parent.splice(Number(last), 1);
    else delete parent[last];
  });
const replaced = (steps: string, value: unknown) =>
  edit(steps, (parent, last) => {
    assert.notDeepEqual(parent[last], value, `${steps} is so already`);
    parent[last] = value;
  });
const added = (steps: string, value: unknown) =>
  edit(steps, (parent, last) => (parent[last] as unknown[]).push(value));
const without = (steps: string, value: unknown) =>
  edit(steps, (parent, last) => {
    const list = parent[last] as unknown[];
    assert.ok(list.includes(value), `${steps} has no ${String(value)}`);
    parent[last] = list.filter((one) => one !== value);
  });

const LIST = 'paths /inventory get';
const YEAR_LATER = interfaceDate(RELEASED).replace(/^\d+/, (year) => String(Number(year) + 1));
const PET = 'paths /pets/{petId} get';
const ADJUST = 'paths /inventory/{petId}/adjustments post';
const ORDERS = 'paths /store/orders post';
const SCHEMAS = 'components schemas';
const PARAMETERS = 'components parameters';
const RESPONSES = 'components responses';
const ITEM = `${SCHEMAS} InventoryItem`;
const CHANGE = `${SCHEMAS} InventoryAdjustment`;
const BODY = 'post requestBody content application/json schema';
const MESSAGE = `webhooks webhook.test ${BODY}`;
const QUOTA = `webhooks quota.reached ${BODY} properties data`;
const note = { name: 'note', in: 'query', schema: { type: 'string' } };

/** An edit of the document of clients, with one sentence that it must cause. */
const BREAKS: readonly (readonly [sentence: string, edit: Edit])[] = [
  ['POST /inventory/{petId}/adjustments is gone', removed(ADJUST)],
  ['GET /inventory is called getStock now', replaced(`${LIST} operationId`, 'getStock')],
  ['GET /inventory is only beta now', replaced(`${LIST} x-stability`, 'beta')],
  // Parameters.
  ['GET /inventory: query parameter limit is gone', removed(`${LIST} parameters 0`)],
  [
    'GET /inventory: query parameter limit is required now',
    replaced(`${PARAMETERS} QueryLimit required`, true),
  ],
  [
    'GET /inventory: query parameter note is required now',
    added(`${LIST} parameters`, { ...note, required: true }),
  ],
  [
    'GET /inventory: query parameter limit has a narrower maximum now',
    replaced(`${PARAMETERS} QueryLimit schema maximum`, 100),
  ],
  [
    'GET /inventory: query parameter limit has a narrower minimum now',
    replaced(`${PARAMETERS} QueryLimit schema minimum`, 2),
  ],
  [
    'GET /inventory: query parameter limit has another default now',
    replaced(`${PARAMETERS} QueryLimit schema default`, 50),
  ],
  [
    'POST /inventory/{petId}/adjustments: path parameter petId has another format now',
    replaced(`${SCHEMAS} PetId format`, 'int32'),
  ],
  // Members of a request.
  ['POST /inventory/{petId}/adjustments: body.note is gone', removed(`${CHANGE} properties note`)],
  ['POST /inventory/{petId}/adjustments: body.note is required now', added(`${CHANGE} required`, 'note')],
  [
    'POST /inventory/{petId}/adjustments: body.reason may no longer be sold',
    without(`${SCHEMAS} Reason enum`, 'sold'),
  ],
  [
    'POST /inventory/{petId}/adjustments: body.delta may no longer be integer',
    replaced(`${CHANGE} properties delta type`, 'string'),
  ],
  [
    'POST /inventory/{petId}/adjustments: body.delta may no longer be any value',
    replaced(`${CHANGE} properties delta enum`, [1, 2]),
  ],
  [
    'POST /inventory/{petId}/adjustments: body.note has a narrower maxLength now',
    replaced(`${SCHEMAS} Note maxLength`, 10),
  ],
  [
    'POST /inventory/{petId}/adjustments: body.note may no longer be null',
    replaced(`${SCHEMAS} Note type`, 'string'),
  ],
  [
    'POST /inventory/{petId}/adjustments: body.note has another pattern now',
    replaced(`${SCHEMAS} Note pattern`, '^[a-z]*$'),
  ],
  [
    'POST /store/orders: body.lines has a narrower maxItems now',
    replaced(`${SCHEMAS} OrderPlacement properties lines maxItems`, 10),
  ],
  [
    'POST /inventory/batch: body.changes[] may no longer be BatchAdjustment',
    removed(`${SCHEMAS} BatchChange oneOf 1`),
  ],
  [
    'POST /inventory/batch: body.changes[](BatchAdjustment).note is gone',
    removed(`${SCHEMAS} BatchAdjustment properties note`),
  ],
  [
    'PATCH /inventory/{petId}: body has another additionalProperties now',
    replaced(`${SCHEMAS} InventoryUpdate additionalProperties`, false),
  ],
  [
    'POST /store/orders: a body of application/json is no longer taken',
    removed(`${ORDERS} requestBody content application/json`),
  ],
  // Responses.
  ['GET /inventory 304 is gone', removed(`${LIST} responses 304`)],
  ['GET /inventory 412 is gone', removed(`${LIST} responses 412`)],
  [
    'POST /inventory/{petId}/adjustments 201 is gone',
    edit(`${ADJUST} responses`, (parent, last) => {
      const responses = parent[last] as Record<string, unknown>;
      responses['200'] = responses['201'];
      delete responses['201'];
    }),
  ],
  [
    'GET /inventory 200 has no application/json any more',
    removed(`${LIST} responses 200 content application/json`),
  ],
  ['GET /inventory 200[].status is gone', removed(`${ITEM} properties status`)],
  ['GET /inventory 200[].status may be missing now', removed(`${ITEM} required 2`)],
  [
    'GET /inventory 200[].quantity may be integer or null now',
    replaced(`${SCHEMAS} Quantity type`, ['integer', 'null']),
  ],
  ['GET /inventory 200[].petId no longer has its format', replaced(`${SCHEMAS} PetId format`, 'int32')],
  ['GET /inventory 200[].status may be reserved now', added(`${SCHEMAS} PetStatus enum`, 'reserved')],
  ['GET /inventory 200[].status may be any value now', removed(`${SCHEMAS} PetStatus enum`)],
  ['GET /inventory 200[].quantity has a wider minimum now', replaced(`${SCHEMAS} Quantity minimum`, -5)],
  ['GET /movements 200[].note has a wider maxLength now', replaced(`${SCHEMAS} Note maxLength`, 9_000)],
  ['GET /inventory 401.code is gone', removed(`${SCHEMAS} Error properties code`)],
  [
    'GET /inventory 401.status may be string now',
    replaced(`${SCHEMAS} Error properties status type`, 'string'),
  ],
  // Headers.
  ['GET /inventory 200 has no header ETag any more', removed(`${LIST} responses 200 headers ETag`)],
  [
    'GET /inventory 200 may lack the header X-Request-Id now',
    removed('components headers RequestId required'),
  ],
  [
    'GET /inventory 200 X-RateLimit-Limit may be string now',
    replaced('components headers Limit schema', { type: 'string' }),
  ],
  [
    'GET /inventory 200 has no header Petstore-Version any more',
    removed('x-response-headers Petstore-Version'),
  ],
  [
    'GET /pets/{petId} 404 has no header Sunset any more',
    removed('paths /pets/{petId} get x-response-headers Sunset'),
  ],
  // Errors.
  ['the error code insufficient_stock is gone', removed('x-error-codes insufficient_stock')],
  ['the error code conflict has the status 422 now', replaced('x-error-codes conflict status', 422)],
  [
    'POST /inventory/{petId}/adjustments 409 no longer has the code insufficient_stock',
    without(`${RESPONSES} ChangeConflict x-error-codes`, 'insufficient_stock'),
  ],
  [
    'POST /inventory/{petId}/adjustments 409 no longer lists its codes',
    removed(`${RESPONSES} ChangeConflict x-error-codes`),
  ],
  [
    'GET /inventory 401 no longer has the code revoked_api_key',
    replaced(`${RESPONSES} Unauthorized x-error-codes`, [
      'missing_api_key',
      'invalid_api_key',
      'expired_api_key',
    ]),
  ],
  // Access.
  ['the security scheme apiKey is gone', removed('components securitySchemes apiKey')],
  ['GET /inventory has the limit of costly operations now', replaced(`${LIST} x-costly`, true)],
  ['the version 0.9.0 is lower than 1.0.0', replaced('info version', '0.9.0')],
  [
    'POST /inventory/{petId}/adjustments requires the scope inventory:write now',
    replaced(`${ADJUST} x-scope`, 'inventory:write'),
  ],
  [
    'GET /rate-limit requires the scope inventory:read now',
    replaced('paths /rate-limit get x-scope', 'inventory:read'),
  ],
  ['GET /inventory no longer takes apiKey', replaced(`${LIST} security`, [{ basic: [] }])],
  ['GET /inventory no longer takes apiKey', replaced(`${LIST} security`, [{ apiKey: [], signature: [] }])],
  [
    'the security scheme apiKey is another one now',
    replaced('components securitySchemes apiKey scheme', 'basic'),
  ],
  // Events.
  ['the event inventory.low is gone', removed('webhooks inventory.low')],
  [
    'the event webhook.test: body.type may be webhook.trial now',
    replaced(`${MESSAGE} properties type enum`, ['webhook.trial']),
  ],
  [
    'the event webhook.test: body.data.endpointId is gone',
    removed(`${MESSAGE} properties data properties endpointId`),
  ],
  ['the event webhook.test: body.id may be missing now', without(`${MESSAGE} required`, 'id')],
  [
    'the event quota.reached: body.data.used may be string now',
    replaced(`${QUOTA} properties used`, { type: 'string' }),
  ],
  [
    'the event order.placed: body.data.order.status may be lost now',
    added(`${SCHEMAS} OrderStatus enum`, 'lost'),
  ],
  ['the event webhook.test has no message any more', removed('webhooks webhook.test post requestBody')],
  [
    'the event inventory.low no longer has the header webhook-signature',
    removed('webhooks inventory.low post parameters 2'),
  ],
  // Ends and levels.
  ['GET /pets/{petId} ends on 2026-12-31 now, before 2027-12-31', replaced(`${PET} x-sunset`, '2026-12-31')],
  [`GET /inventory ends on 2026-12-31 now, before ${YEAR_LATER}`, replaced(`${LIST} x-sunset`, '2026-12-31')],
  ['x-limits plans free perMinute is lower now', replaced('x-limits plans free perMinute', 59)],
  [
    'x-limits plans enterprise perDay is a limit now',
    replaced('x-limits plans enterprise perDay', 1_000_000),
  ],
  [
    'GET /inventory has the level alpha now, which promises nothing',
    replaced(`${LIST} x-stability`, 'alpha'),
  ],
  // What the page of stability promises by name.
  [
    'GET /inventory 200[].shelf is a member more now',
    replaced(`${ITEM} properties shelf`, { type: 'string' }),
  ],
  [
    'GET /inventory 401.detail is a member more now',
    replaced(`${SCHEMAS} Error properties detail`, { type: 'string' }),
  ],
  // Keywords that no document had.
  ...['minProperties', 'anyOf', 'allOf', 'dependentRequired', 'propertyNames', 'unevaluatedProperties'].map(
    (keyword) =>
      [
        `POST /inventory/{petId}/adjustments: body has another ${keyword} now`,
        replaced(`${CHANGE} ${keyword}`, 3),
      ] as const,
  ),
  [
    'POST /inventory/{petId}/adjustments: body must be one of some alternatives now',
    replaced(`${CHANGE} oneOf`, [{ required: ['note'] }]),
  ],
  [
    'GET /movements: query parameter limit has another style now',
    replaced(`${PARAMETERS} QueryLimit style`, 'pipeDelimited'),
  ],
  [
    'GET /inventory has servers of its own now',
    replaced(`${LIST} servers`, [{ url: 'https://api.shop.example/v2' }]),
  ],
  ['server 0 is no longer at /v1', replaced('servers 0 url', 'http://localhost:8080/v2')],
];

for (const [sentence, change] of BREAKS) {
  test(`a break is found: ${sentence}`, () => {
    const document = change(RELEASED);
    const breaks = breakingChanges(RELEASED, document);
    const found = breaks.map((one) => one.sentence);
    assert.ok(found.includes(sentence), found.join('\n') || 'nothing was found');
    // What a stable operation has is kept, whatever is announced.
    const all = operationsIn(RELEASED).map(({ operation }) => operation.operationId);
    const announcements = [{ date: '9999-12-31', operations: all }];
    const isOfExperiment = sentence.startsWith('PATCH /inventory/{petId}: ');
    assert.equal(forbidden(breaks, RELEASED, announcements).includes(sentence), !isOfExperiment);
  });
}

const ADDITIONS: readonly (readonly [what: string, edit: Edit])[] = [
  [
    'an operation',
    replaced('paths /shelves', {
      get: { ...RELEASED.paths['/rate-limit']?.get, operationId: 'listShelves' },
    }),
  ],
  ['an optional parameter', added(`${LIST} parameters`, note)],
  ['an optional member of a request', replaced(`${CHANGE} properties colour`, { type: 'string' })],
  ['a value that requests may have', replaced(`${PARAMETERS} QueryKind schema`, {})],
  ['a larger limit of a request', replaced(`${SCHEMAS} OrderPlacement properties lines maxItems`, 500)],
  ['a smaller least value of a parameter', replaced(`${PARAMETERS} QueryLimit schema minimum`, 0)],
  ['a request without a rule', removed(`${CHANGE} properties delta not`)],
  ['a member that may be missing', removed(`${CHANGE} required 1`)],
  ['another kind of change in a batch', added(`${SCHEMAS} BatchChange oneOf`, { type: 'object' })],
  [
    'a body of another type',
    replaced(`${ORDERS} requestBody content text/csv`, { schema: { type: 'string' } }),
  ],
  ['a member of a response', replaced(`${SCHEMAS} Movement properties colour`, { type: 'string' })],
  ['a smaller limit of a response', replaced(`${SCHEMAS} Error properties message maxLength`, 100)],
  ['a member that is never missing now', added(`${SCHEMAS} BatchRow required`, 'message')],
  ['a status', replaced(`${LIST} responses 418`, { description: 'A teapot.' })],
  ['a header', replaced(`${LIST} responses 200 headers X-Colour`, { schema: { type: 'string' } })],
  ['a type of events', replaced('webhooks inventory.moved', RELEASED.webhooks?.['inventory.low'])],
  ['a member of an event', replaced(`${QUOTA} properties plan`, { type: 'string' })],
  ['an error code', replaced('x-error-codes a_new_code', { status: 418 })],
  ['an error code of an operation', added(`${RESPONSES} ChangeConflict x-error-codes`, 'a_new_code')],
  ['a later version', replaced('info version', '1.10.0')],
  ['an operation without a scope', removed(`${ADJUST} x-scope`)],
  ['another way to authenticate', replaced(`${LIST} security`, [{ apiKey: [] }, { session: [] }])],
  ['a greater promise', removed('paths /inventory/{petId} patch x-stability')],
  ['a deprecation', replaced(`${LIST} deprecated`, true)],
  ['other words', replaced(`${LIST} description`, 'Other words.')],
  ['another example', replaced(`${SCHEMAS} InventoryAdjustment example`, {})],
  ['other words of a scheme', replaced('components securitySchemes apiKey description', 'Other words.')],
  ['another host', replaced('servers 0 url', 'https://api.shop.example/v1')],
  [
    'a component with another name',
    edit(SCHEMAS, (parent, last) => {
      const schemas = parent[last] as Record<string, unknown>;
      schemas.Entry = schemas.InventoryItem;
      schemas.InventoryItem = { $ref: '#/components/schemas/Entry' };
    }),
  ],
];

for (const [what, change] of ADDITIONS) {
  test(`compatible: ${what}`, () => {
    assert.deepEqual(breakingChanges(RELEASED, change(RELEASED)), []);
  });
}

test('a beta operation may break after an announcement that is newer than the release', () => {
  const after = removed(`${SCHEMAS} Account properties name`)(RELEASED_ADMIN);
  const breaks = breakingChanges(RELEASED_ADMIN, after);
  const sentences = breaks.map(({ sentence }) => sentence);
  assert.ok(sentences.includes('GET /accounts 200[].name is gone'), sentences.join('\n'));
  const ids = [...new Set(breaks.map(({ operationId = '' }) => operationId))];
  const broken = (date: string, operations: readonly string[]) =>
    forbidden(breaks, RELEASED_ADMIN, [{ date, operations }]);
  assert.deepEqual(broken('9999-12-31', ids), []);
  assert.deepEqual(broken(interfaceDate(RELEASED_ADMIN), ids), sentences, 'the release has this entry');
  assert.ok(broken('9999-12-31', ids.slice(1)).length > 0, 'each operation is named');
});

test('a role may become lower, but not higher', () => {
  const role = (value: string) =>
    breakingChanges(RELEASED_ADMIN, replaced('paths /pets post x-role', value)(RELEASED_ADMIN)).map(
      ({ sentence }) => sentence,
    );
  assert.deepEqual(role('viewer'), []);
  assert.deepEqual(role('administrator'), ['POST /pets requires the role administrator now']);
});

test('an experimental operation keeps its responses', () => {
  const after = removed('paths /inventory/{petId} patch responses 200')(RELEASED);
  const announcements = [{ date: '9999-12-31', operations: ['updateInventory'] }];
  assert.deepEqual(brokenPromises(RELEASED, after, announcements), ['PATCH /inventory/{petId} 200 is gone']);
});
