import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_STATUS, type ErrorCode } from '../../src/domain/errors.ts';
import { linesOf, VERBS } from '../orders/order-requests.ts';
import { NOON, type Sending, startApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { adjust, bodyOf, wholeLedger } from '../support/stock-requests.ts';

/** The beginning of a message, or a part of it. */
type Message = string | RegExp;

/** A request, and its refusal. Targets below `/admin` are requested by staff. */
interface Refusal {
  readonly method: string;
  readonly target: string;
  readonly code: ErrorCode;
  readonly message?: Message | undefined;
  readonly sending?: Omit<Sending, 'body'> & { readonly body?: Sending['body'] | (() => Sending['body']) };
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

type More = Pick<Refusal, 'message' | 'sending' | 'headers'>;

/** Requests whose targets end with these texts. */
function ending(request: string, endings: readonly string[], code: ErrorCode, more: More = {}): Refusal[] {
  const [method, start = ''] = request.split(' ') as [string, string?];
  return endings.map((end) => ({ method, target: start + end, code, ...more }));
}

/** Requests with one of these bodies or headers. */
function sending(request: string, sent: readonly Refusal['sending'][], code: ErrorCode, more: More = {}) {
  return sent.flatMap((one) => ending(request, [''], code, { ...more, ...(one && { sending: one }) }));
}

/** Requests with these bodies, each with its message. */
function bodies(request: string, messages: Readonly<Record<string, Message>>, code: ErrorCode): Refusal[] {
  return Object.entries(messages).flatMap(([body, message]) =>
    sending(request, [{ body }], code, { message }),
  );
}

/** The text with each of these values in place of `#`. */
function filled(text: string, values: string, message: Message): Readonly<Record<string, Message>> {
  return Object.fromEntries(values.split(' ').map((value) => [text.replace('#', value), message]));
}

const encoded = (text: string) => Buffer.from(text).toString('base64url');
const accepting = (accept: string) => ({ headers: { Accept: accept } });
const typed = (type: string) => ({ body: '{"quantity":1}', headers: { 'Content-Type': type } });
const streamed = (text: string) => new Blob([text]).stream() as ReadableStream<Uint8Array>;
const bodyOfBytes = (bytes: number) => `{"quantity":5,"extra":"${'x'.repeat(bytes - 25)}"}`;

const MAX_BODY_BYTES = 16 * 1024;
const TOO_LARGE = bodyOfBytes(MAX_BODY_BYTES + 1);
const HUGE = `{"quantity":"${'x'.repeat(20_000)}`;
const WITHOUT_KEY = { key: null };
const SET = { sending: { body: '{"quantity":1}' } };
const STOCK = 'PATCH /v1/inventory/1';
const ADJUST = 'POST /v1/inventory/1/adjustments';
const STATUS = 'PUT /v1/inventory/1/status';
const BATCH = 'POST /v1/inventory/batch';
const PLACE = 'POST /v1/store/orders';
const REVERT = 'POST /v1/movements/5/revert';
const LONG = 'ü'.repeat(1_000);
const CHANGE = '{"petId":1,"quantity":1}';
const LINES = `"lines":[${CHANGE}]`;
const ONCE = 'lines[2].petId is 1 as in lines[0]. Send one line per pet.';
const NO_BATCH = 'changes must be an array of 1 to 1000';
const NO_LINES = 'lines must be an array of 1 to 100 lines.';
const NO_UNITS = 'lines[0].quantity must be a whole number from 1 to 9007199254740991.';
const NO_DELTA = 'delta must be a whole number from -9007199254740991 to 9007199254740991, and not 0.';
const NO_QUANTITY = 'quantity must be a whole number from 0 to 50.';
const NO_TIME = 'expiresAt must be a date and time with offset';
const NO_CURSOR = 'cursor must come from the Link header';
/** Spellings of an escape that is not UTF-8 text. */
const NO_TEXTS = '%ff %zz % %c3 %ed%a0%80 %C0%80'.split(' ');
const SERVICE_PATHS = '/healthz /readyz /metrics /openapi.json /docs /'.split(' ');

const PATHS: readonly Refusal[] = [
  ...ending(
    'GET',
    [
      ...'/v1/inventory/ /v1//inventory //v1/inventory /V1/inventory /v1/Inventory /v2/inventory'.split(' '),
      ...'/inventory /v1/inventory/1/ /v1/inventory/1/2 /v1/pets /v1/inventory;a=1'.split(' '),
      ...'/v1/inventory%2F1 /v1/inventory/%2e%2e/pets'.split(' '),
    ],
    'route_not_found',
  ),
  ...['POST', 'PUT', 'DELETE', 'PROPFIND', 'QUERY'].flatMap((method) => [
    ...ending(`${method} /v1/inventory`, [''], 'method_not_allowed', {
      headers: { Allow: 'GET, HEAD, OPTIONS' },
    }),
    ...ending(`${method} /v1/inventory/1`, [''], 'method_not_allowed', {
      headers: { Allow: 'GET, HEAD, PATCH, OPTIONS' },
    }),
  ]),
  ...['GET', 'HEAD'].flatMap((method) =>
    ending(`${method} /v1/inventory/1/status`, [''], 'method_not_allowed', {
      headers: { Allow: 'PUT, OPTIONS' },
    }),
  ),
  // A batch has its own path, which is not that of a pet.
  ...['GET', 'HEAD', 'PATCH', 'PUT', 'DELETE'].flatMap((method) =>
    ending(`${method} /v1/inventory/batch`, [''], 'method_not_allowed', {
      headers: { Allow: 'POST, OPTIONS' },
    }),
  ),
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].flatMap((method) =>
    ending(`${method} `, SERVICE_PATHS, 'method_not_allowed', {
      sending: WITHOUT_KEY,
      headers: { Allow: 'GET, HEAD, OPTIONS' },
    }),
  ),
  ...[{}, WITHOUT_KEY].flatMap((sent) =>
    ending(
      'GET ',
      '/v1/% /v1/inventory/%zz /%E0%A4%A /v1/inventory/%C3%28 /healthz%'.split(' '),
      'malformed_request',
      {
        sending: sent,
      },
    ),
  ),
  ...['/v1/inventory?cursor=', '/v1/movements?actor=', '/nothing'].flatMap((start) =>
    ending(`GET ${start}`, NO_TEXTS, 'malformed_request'),
  ),
  ...['/admin/v1/imports?limit=1&cursor=', '/admin/v1/pets/'].flatMap((start) =>
    ending(`GET ${start}`, NO_TEXTS, 'malformed_request'),
  ),
  ...ending('POST /admin/v1/imports?fileName=', NO_TEXTS, 'malformed_request', {
    sending: { headers: { 'Content-Type': 'text/csv' }, body: 'petId' },
  }),
];

const BODIES: readonly Refusal[] = [
  ...bodies(
    STOCK,
    filled('#', '5 "quantity" null [] [{"quantity":5}] true', 'The body must be'),
    'validation_failed',
  ),
  ...sending(
    STOCK,
    [
      ...['', ' ', '{', '{"quantity":5}}', "{'quantity':5}", '{"quantity":05}', '{"quantity":+5}'],
      ...['{"quantity":NaN}', '\u{feff}{"quantity":5}', Buffer.from('7b227175616e74697479223a357dff', 'hex')],
    ].map((body) => ({ body })),
    'malformed_json',
  ),
  ...sending(
    STOCK,
    [
      { body: TOO_LARGE },
      { body: () => streamed(TOO_LARGE) },
      { body: () => streamed(bodyOfBytes(1_000_000)) },
    ],
    'body_too_large',
    { message: /at most 16384 bytes/, headers: { Connection: 'close' } },
  ),
  ...sending(
    STOCK,
    [
      ...['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'].map(typed),
      ...['application/json; x=y; Charset = "utf-16"', 'application/json;charset=utf-8x'].map(typed),
      ...['application/jsonp', 'application/json-patch+json', 'json', ''].map(typed),
      { body: '{"quantity":1}', headers: { 'Content-Encoding': 'gzip' } },
    ],
    'unsupported_media_type',
    { headers: { 'Accept-Patch': 'application/json, application/merge-patch+json' } },
  ),
  // Without content no media type is wrong: what is required is missing.
  ...[STOCK, ADJUST, STATUS, BATCH, PLACE].flatMap((at) =>
    sending(at, [{}], 'malformed_json', { message: 'The body is empty; send a JSON object.' }),
  ),
  ...sending(
    ADJUST,
    ['application/merge-patch+json', 'text/plain', ''].map(typed),
    'unsupported_media_type',
    {
      headers: { Accept: 'application/json' },
    },
  ),
  // The first fault decides: the path, media type, size, JSON, field, then the pet.
  ...sending('PATCH /v1/inventory/x', [{ ...typed('text/plain'), body: HUGE }], 'invalid_parameter'),
  ...sending('PATCH /v1/inventory/99', [{ ...typed('text/plain'), body: HUGE }], 'unsupported_media_type'),
  ...sending('PATCH /v1/inventory/99', [{ body: HUGE }], 'body_too_large'),
  ...sending('PATCH /v1/inventory/99', [{ body: '{"quantity":"5"' }], 'malformed_json'),
  ...sending('PATCH /v1/inventory/99', [{ body: '{"quantity":"5"}' }], 'validation_failed'),
  ...sending('PATCH /v1/inventory/99', [{ body: '{"quantity":5}' }], 'not_found'),
];

const READS: readonly Refusal[] = [
  ...ending(
    'GET /v1/inventory?limit=',
    ['', ...'0 1001 -1 1.0 1e2 +1 %201 010 ten 99999999999999999999'.split(' ')],
    'invalid_parameter',
    { message: 'limit must be' },
  ),
  ...ending(
    'GET /v1/inventory?',
    [
      ...'page=2 limit=5&offset=5 Limit=5 limit=5&limit=5 cursor=MQ&cursor=MQ x ='.split(' '),
      ...['?', '?limit=5', '?&limit=5'],
      ...'asOf=2026-01-01 asOf= atSequence=-1 atSequence=1.0 status=Sold status=sold,pending'.split(' '),
      ...'atSequence=1&asOf=2026-01-01T00:00:00Z status=sold&status=sold quantityLte=-1 quantityGte=x'.split(
        ' ',
      ),
      ...'quantityGte=9007199254740992 updatedSince=now petId= petId=1, petId=1,,2 petId=1,%202'.split(' '),
      ...'petId=01 petId=9223372036854775808 status=sold&limit=0 status=sold&cursor=x quantity=5'.split(' '),
      `petId=${Array(1_001).fill('1').join()}`,
    ],
    'invalid_parameter',
  ),
  ...ending(
    'GET /v1/inventory?cursor=',
    ['', '2', '!!', 'MQ==', ' MQ', ...['01', '1.0', 'x', '9223372036854775808'].map(encoded)].map(
      encodeURIComponent,
    ),
    'invalid_parameter',
  ),
  ...ending(
    'GET /v1/inventory?',
    [
      ...'atSequence=7 atSequence=9007199254740991 asOf=9999-12-31T23:59:59Z'.split(' '),
      `asOf=${new Date(NOON + 1).toISOString()}`,
    ],
    'invalid_parameter',
    { message: /the newest movement is 6/ },
  ),
  ...sending(
    'GET /v1/inventory',
    ['text/html', 'application/xml', 'application/json;q=0', '*/*;q=0', 'text/*, image/png'].map(accepting),
    'not_acceptable',
  ),
  ...ending('GET /v1/inventory/', ['8'], 'not_found'),
  ...ending('GET /v1/inventory/', ['07', '7?at=1'], 'invalid_parameter'),
  ...ending(
    'GET /v1/movements?',
    [
      ...'sort=asc kind=set&kind=set kind=Set kind= reason=stolen actor= actor=till-2 actor=CLI'.split(' '),
      ...'actor=key_4fQ2n8Zk1bXw0aL actor=key_4fQ2n8Zk1bXw0aLr1 actor=a%00b actor=a%20b'.split(' '),
      ...'since=2026-07-01 until=yesterday after=-1 after=1.0 after=9007199254740992 before=x'.split(' '),
      ...'order=up limit=0 limit=1001 petId=x petId=01'.split(' '),
    ],
    'invalid_parameter',
  ),
  ...ending('GET /v1/inventory/2/movements?', ['petId=2'], 'invalid_parameter'),
  ...ending('GET /v1/inventory/9/movements', ['', '?kind=set'], 'not_found'),
  ...ending('GET /v1/movements/', ['99', '9007199254740991'], 'not_found'),
  ...ending(
    'GET /v1/movements/',
    '0 -1 01 1.0 x 9007199254740992 99999999999999999999 +1'.split(' '),
    'invalid_parameter',
  ),
  ...Object.entries({
    'status=sold': 'status must be one of placed, approved, delivered, cancelled, expired.',
    ...filled('petId=#', 'x 9223372036854775808', 'petId must be a 64-bit integer'),
    [`referenceId=${'x'.repeat(201)}`]: 'referenceId must be a text of 200 characters',
    'referenceId=%00': 'referenceId must not contain U+0000.',
    'createdSince=yesterday': 'createdSince must be a date and time',
    'order=up': 'order must be one of asc, desc.',
    ...filled('limit=#', '0 101 1.0 -1 ', 'limit must be'),
    ...filled('cursor=#', `x  ${['0', '-3', '9007199254740993'].map(encoded).join(' ')}`, NO_CURSOR),
    'after=1': 'The query parameter "after" is unknown here. Known are: ',
    'status=placed&status=placed': 'Send the query parameter status once.',
  }).flatMap(([query, message]) =>
    ending('GET /v1/store/orders?', [query], 'invalid_parameter', { message }),
  ),
  ...[
    ...[ADJUST, BATCH, REVERT].map((request) => [request, '{}'] as const),
    [STATUS, '{"status":"sold"}'] as const,
    ...['/inventory/1', '/movements/3', '/store/inventory', '/ledger/audit'].map(
      (path) => [`GET /v1${path}`] as const,
    ),
  ].flatMap(([request, body]) =>
    ending(`${request}?dryRun=true`, [''], 'invalid_parameter', {
      message: 'The query parameter "dryRun" is unknown here.',
      ...(body && { sending: { body } }),
    }),
  ),
];

const STOCK_WRITES: readonly Refusal[] = [
  ...bodies(
    STOCK,
    {
      ...filled(
        '{"quantity":#}',
        '51 -1 1.5 "05" null true [5] {} 1e400 0.99999999999999999999',
        NO_QUANTITY,
      ),
      '{"quantity":"5"}': 'quantity is the text "5"; send 5 without quotes.',
      '{"quantity":"psk_live_x"}': /^quantity must be a whole number from 0 to 50\.$/,
      // Nothing is said about a number that JavaScript would round to an integer.
      '{"quantity":1.00000000000000000001}': /^quantity must be a whole number from 0 to 50\.$/,
      '{"quantity":1e-400}': /^quantity must be a whole number from 0 to 50\.$/,
      [`{"quantity":"${LONG}"}`]: `${NO_QUANTITY} It has 1000 characters.`,
      '{"Quantity":5}': 'quantity is required',
    },
    'validation_failed',
  ),
  ...ending(
    'PATCH /v1/inventory/',
    [...'x 1.0 +1 01 -0 1e0 0x1 %201 1%20 1,000 9223372036854775808 -9223372036854775809 １'.split(' ')],
    'invalid_parameter',
    SET,
  ),
  ...['9', '-1', '9223372036854775807', '-9223372036854775808'].flatMap((petId) =>
    ending(`PATCH /v1/inventory/${petId}`, [''], 'not_found', {
      ...SET,
      message: new RegExp(`petId ${petId}\\b`),
    }),
  ),
  ...bodies(
    ADJUST,
    {
      ...filled(
        '{"reason":"other","delta":#}',
        '0 -0 0.0 1.5 "01" null 9007199254740992 -9007199254740992 1e400',
        NO_DELTA,
      ),
      '{"reason":"other"}': 'delta is required: a whole number from ',
      '{"delta":1}': 'reason is required: one of correction, ',
      ...filled(
        '{"delta":1,"reason":#}',
        'null "Damaged" ["other"]',
        /^reason must be one of correction, .*, other\. It is .+\.$/,
      ),
    },
    'validation_failed',
  ),
  ...sending('POST /v1/inventory/8/adjustments', [{ body: '{"delta":1,"reason":"other"}' }], 'not_found'),
  ...bodies(
    STATUS,
    filled('#', '{} {"status":"Sold"} {"status":null} {"status":1} []', ''),
    'validation_failed',
  ),
  ...sending('PUT /v1/inventory/8/status', [{ body: '{"status":"sold"}' }], 'not_found'),
  ...sending('PUT /v1/inventory/x/status', [{ body: '{"status":"sold"}' }], 'invalid_parameter'),
  ...[
    ...['dryrun', 'petId', '__proto__'].map((name) => [name, name] as const),
    ...['', 'a b'].map((name) => [name, JSON.stringify(name)] as const),
    [LONG, JSON.stringify(LONG.slice(0, 64))] as const,
  ].flatMap(([name, shown]) =>
    [
      [ADJUST, '{"delta":1,"reason":"other",'],
      [STATUS, '{"status":"sold",'],
      [REVERT, '{'],
    ].flatMap(([request = '', start]) =>
      bodies(
        request,
        { [`${start}${JSON.stringify(name)}:true}`]: `${shown} is not a member of this body. Members are: ` },
        'validation_failed',
      ),
    ),
  ),
  ...bodies(
    BATCH,
    {
      ...Object.fromEntries(
        Object.entries({
          '{"petId":1}': '[1] must have either quantity, or delta with a reason, or revert.',
          '{"petId":1,"quantity":1,"delta":1,"reason":"other"}': '[1] must have either',
          '{"petId":1,"delta":1}': '[1].reason is required with delta: one of correction, ',
          '{"petId":1,"delta":1,"reason":null}': '[1].reason is required with delta: one of correction, ',
          '{"petId":1,"delta":0,"reason":"other"}': '[1].delta must be',
          '{"petId":1,"quantity":-1}': '[1].quantity must be',
          '{"petId":1,"quantity":1,"ifMatch":"x"}': '[1].ifMatch must be one entity tag',
          '{"petId":1,"quantity":1,"note":5}': '[1].note must be',
          '{"petId":1,"quantity":1,"ifmatch":"\\"x\\""}': '[1].ifmatch is not a member of this body.',
          '{"petId":1,"quantity":1,"status":"sold"}': '[1].status is not a member of this body.',
          '{"quantity":1}': '[1].petId is required: a 64-bit integer.',
          '[]': '[1] must be a JSON object',
          null: '[1] must be a JSON object',
        }).map(([row, message]) => [`{"changes":[${CHANGE},${row}]}`, `changes${message}`]),
      ),
      '{}': 'changes is required: an array of 1 to 1000 changes.',
      '{"changes":[]}': NO_BATCH,
      [`{"changes":[${Array(1_001).fill(CHANGE).join()}]}`]: NO_BATCH,
      [`{"changes":[${CHANGE}],"errorPolicy":"ignore"}`]: 'errorPolicy must be one of',
      [`{"changes":[${CHANGE}],"dryRun":"true"}`]: 'dryRun is the text "true"; send true without quotes.',
      [`{"changes":[${CHANGE}],"dryrun":true}`]: 'dryrun is not a member of this body.',
      [`{"changes":[${CHANGE}],"plan":"x"}`]: 'plan is not a member of this body.',
      [`{"changes":[${CHANGE}],"planId":"${'x'.repeat(101)}"}`]: 'planId must be the planId of a dry run',
      '[]': 'The body must be a JSON object',
    },
    'validation_failed',
  ),
  ...sending(
    BATCH,
    [{ body: `{"changes":[${CHANGE}]}`, headers: { 'If-Match': '*' } }],
    'invalid_parameter',
    {
      message: /Send ifMatch in the rows instead/,
    },
  ),
];

const ORDERS: readonly Refusal[] = [
  ...bodies(
    PLACE,
    {
      '{}': 'lines is required: an array of 1 to 100 lines.',
      ...filled('#', '{"lines":[]} {"lines":{}}', NO_LINES),
      [`{"lines":[${Array(101).fill(CHANGE).join()}]}`]: NO_LINES,
      '{"lines":[1]}': 'lines[0] must be a JSON object with the members petId and quantity.',
      '{"lines":[{"quantity":1}]}': 'lines[0].petId is required: a 64-bit integer.',
      '{"lines":[{"petId":1}]}': 'lines[0].quantity is required: a whole number from 1 ',
      '{"lines":[{"petId":"7","quantity":1}]}': 'lines[0].petId is the text "7"; send 7 without quotes.',
      [`{"lines":[${CHANGE},{"petId":2,"quantity":1,"x":1}]}`]:
        'lines[1].x is not a member of this body. Members are: petId, quantity.',
      [`{"lines":[${CHANGE},{"petId":2,"quantity":1},{"petId":1.0,"quantity":2}]}`]: ONCE,
      ...filled(
        '{"lines":[{"petId":1,"quantity":#}]}',
        '0 -1 1.5 1e400 9007199254740992 "one" null 0.99999999999999999999',
        NO_UNITS,
      ),
      ...filled(`{${LINES},"expiresAt":#}`, '"2026-02-30T00:00:00Z" 1790000000000', NO_TIME),
      ...filled(
        `{${LINES},"expiresAt":#}`,
        '"2026-07-01T12:00:30Z" "0001-01-01T00:00:00Z"',
        'expiresAt must be in the future.',
      ),
      [`{${LINES},"note":"${'x'.repeat(1_001)}"}`]: 'note must be a text of 1000 characters at most',
      [`{${LINES},"referenceId":"a\\u0000"}`]: 'referenceId must be a text of 200 characters at most',
      [`{${LINES},"reason":"stolen"}`]: 'reason must be one of',
      [`{${LINES},"status":"approved"}`]: 'status is not a member of this body.',
      ...filled('#', '[] null', 'The body must be a JSON object with the member lines.'),
    },
    'validation_failed',
  ),
  ...sending(
    PLACE,
    ['If-Match', 'If-None-Match'].map((name) => ({ body: `{${LINES}}`, headers: { [name]: '*' } })),
    'invalid_parameter',
  ),
  ...VERBS.flatMap((verb) => [
    ...ending('POST /v1/store/orders/', [`2/${verb}`, `9007199254740991/${verb}`], 'not_found'),
    ...ending(
      'POST /v1/store/orders/',
      [...'0 01 -1 1.0 x 9007199254740992 %31%20'.split(' ').map((id) => `${id}/${verb}`), `1/${verb}?x=1`],
      'invalid_parameter',
    ),
    ...bodies(
      `POST /v1/store/orders/1/${verb}`,
      filled('#', '{"status":"approved"} []', ''),
      'validation_failed',
    ),
  ]),
  ...bodies(
    'POST /v1/store/orders/1/approve',
    { '{"note":"paid"}': 'note is not a member of this body' },
    'validation_failed',
  ),
  ...bodies(
    'POST /v1/store/orders/1/cancel',
    { [bodyOf(linesOf([1, 1]))]: 'lines is not a member of this body. Members are: ' },
    'validation_failed',
  ),
  ...bodies(
    'POST /v1/store/orders/1/deliver',
    { [bodyOf(linesOf([1, 1], [2, 1], [1, 1]))]: ONCE },
    'validation_failed',
  ),
  ...bodies('POST /v1/store/orders/1/return', { '{"lines":[]}': NO_LINES }, 'validation_failed'),
];

test('each invalid request gets the error of its first fault, and changes nothing', async (t) => {
  const pets = [1n, 2n, 3n, 7n].map((petId) => petRow(petId, 20));
  const app = await startApp(t, {
    pets,
    config: { PETSTORE_MAX_QUANTITY: '50', PETSTORE_LOG_LEVEL: 'error' },
  });
  await adjust(app, 1, { delta: 1 });
  await app.request('POST', '/v1/store/orders', { body: bodyOf(linesOf([1, 3])) });
  const { key } = await app.makeAdminKey('staff');
  const state = async () => [
    (await wholeLedger(app)).length,
    ...(await Promise.all(
      ['/v1/inventory', '/v1/store/orders'].map(async (path) => (await app.request('GET', path)).text),
    )),
  ];
  const before = await state();
  for (const refusal of [...PATHS, ...BODIES, ...READS, ...STOCK_WRITES, ...ORDERS]) {
    const { method, target, code, message, headers = {} } = refusal;
    const { body, ...sent } = refusal.sending ?? {};
    const shown = typeof body === 'function' ? 'a stream' : String(body ?? '');
    await t.test(`${code}: ${method} ${target} ${shown} ${JSON.stringify(sent)}`.slice(0, 160), async () => {
      const answer = await app.request(method, target, {
        ...(target.startsWith('/admin') && { key }),
        ...sent,
        ...(body !== undefined && { body: typeof body === 'function' ? (body() as string) : body }),
      });
      assert.deepEqual(
        [answer.status, answer.code],
        [ERROR_STATUS[code], method === 'HEAD' ? undefined : code],
      );
      const text = (answer.json as { message?: string } | null)?.message ?? '';
      if (typeof message === 'string') assert.ok(text.startsWith(message), text);
      else if (message) assert.match(text, message);
      for (const [name, value] of Object.entries(headers))
        assert.equal(answer.headers.get(name), value, name);
    });
  }
  assert.deepEqual(await state(), before);
});

test('of an endless body no more is read than the first byte too many', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n)] });
  let pieces = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pieces += 1;
      controller.enqueue(new Uint8Array(1_024).fill(0x20));
    },
  });
  assert.equal((await app.request('PATCH', '/v1/inventory/1', { body: endless })).status, 413);
  assert.ok(pieces < 40, `${pieces} pieces were read`);
});

test('the largest body, the bounds of fields and each Accept that includes JSON are accepted', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n)], config: { PETSTORE_MAX_QUANTITY: '50' } });
  const fits = bodyOfBytes(MAX_BODY_BYTES);
  assert.equal(fits.length, MAX_BODY_BYTES);
  for (const body of [
    fits,
    streamed(fits),
    '{"quantity":0}',
    '{"quantity":50}',
    '{"quantity":5,"dryRun":true}',
  ]) {
    assert.equal((await app.request('PATCH', '/v1/inventory/1', { body })).status, 200, String(body));
  }
  const many = Array.from({ length: 1_000 }, (_, i) => String(i - 500)).join();
  const found = await app.request('GET', `/v1/inventory?petId=${many}`);
  assert.deepEqual(found.json, [{ petId: 1, quantity: 5, status: 'available' }]);
  const now = new Date(app.clock.nowMs).toISOString();
  assert.equal((await app.request('GET', `/v1/inventory?asOf=${now}`)).status, 200);
  const end = await app.request('GET', `/v1/store/orders?cursor=${encoded('1')}`);
  assert.deepEqual([end.status, end.text, end.headers.get('Link')], [200, '[]', null]);
  for (const target of ['/v1/inventory/1/movements?kind=revert', '/v1/movements?petId=2']) {
    assert.equal((await app.request('GET', target)).text, '[]');
  }
  for (const accept of [
    ...['*/*', 'application/*', 'application/json', 'APPLICATION/JSON', 'application/json; charset=utf-8'],
    ...['text/html, application/xhtml+xml, */*;q=0.8', 'application/json;q=0.1', 'application/json, */*;q=0'],
  ]) {
    assert.equal((await app.request('GET', '/v1/inventory', accepting(accept))).status, 200, accept);
  }
});
