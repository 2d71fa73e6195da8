import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../src/index.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const NOW = new Date(Date.UTC(2026, 6, 1, 12));
const ID = '815.0-1a2b3c4d';
const body = `{"id":"${ID}","type":"inventory.changed","timestamp":"2026-07-01T12:00:00.000Z","data":{"sequence":815,"petId":9007199254740993,"note":"Grüße"}}`;

function headersOf(...secrets: string[]) {
  return {
    'Webhook-Id': ID,
    'webhook-timestamp': String(NOW.getTime() / 1_000),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(ID, NOW, body)).join(' '),
  };
}

const verify = (message: Partial<Parameters<typeof verifyWebhook>[0]> = {}) =>
  verifyWebhook({ body, headers: headersOf(SECRET), secret: SECRET, nowMs: NOW.getTime(), ...message });

test('accepts what the reference implementation signs, with exact petIds', async () => {
  const event = await verify();
  assert.equal(event.id, ID);
  assert.ok(event.type === 'inventory.changed');
  assert.equal(event.data.petId, 9007199254740993n);
  await verify({ body: new TextEncoder().encode(body), headers: new Headers(headersOf(SECRET)) });
  await verify({ body: Buffer.from(body) });
});

test('accepts either secret while one is replaced', async () => {
  await verify({ headers: headersOf(OTHER, SECRET) });
  await verify({ headers: headersOf(SECRET), secret: [OTHER, SECRET] });
});

test('refuses all else', async () => {
  const headers = headersOf(SECRET);
  const refused = { code: 'invalid_signature' };
  await assert.rejects(verify({ body: body.replace('815', '816') }), refused);
  await assert.rejects(verify({ secret: OTHER }), refused);
  await assert.rejects(verify({ nowMs: NOW.getTime() + 301_000 }), refused);
  await assert.rejects(verify({ nowMs: NOW.getTime() - 301_000 }), refused);
  await assert.rejects(verify({ headers: { ...headers, 'Webhook-Id': '1.0' } }), refused);
  await assert.rejects(verify({ headers: { ...headers, 'webhook-timestamp': 'Infinity' } }), refused);
  await assert.rejects(verify({ headers: {} }), refused);
  const unversioned = createHmac('sha256', 'x').update(body).digest('base64');
  for (const signature of ['', 'v1,', 'v1,§', `v2,${unversioned}`, unversioned, 'v1,AAAA '.repeat(1_000)]) {
    await assert.rejects(verify({ headers: { ...headers, 'webhook-signature': signature } }), refused);
  }
  const unset = undefined as unknown as string;
  for (const secret of ['whsec_', '', unset, [unset]]) {
    await assert.rejects(verify({ secret }), { name: 'PetstoreError', code: 'invalid_argument' });
  }
});

test('refuses everything by a tolerance that is not a number', async () => {
  await assert.rejects(verify({ toleranceSeconds: Number.NaN }), { code: 'invalid_signature' });
});

test('refuses a body that something has parsed, and says so', async () => {
  const parsed = JSON.parse(body) as string;
  await assert.rejects(verify({ body: parsed }), {
    code: 'invalid_argument',
    message: /before anything parses/,
  });
});

test('reads the headers of another fetch', async () => {
  const own = new Headers(headersOf(SECRET));
  const headers = { get: (name: string) => own.get(name) } as unknown as Headers;
  assert.equal((await verify({ headers })).id, ID);
});

test('compares ten signatures of a message at most', async () => {
  const [good = ''] = headersOf(SECRET)['webhook-signature'].split(' ');
  const among = (before: number) => [...Array<string>(before).fill('v1,AAAA'), good].join(' ');
  const headers = (before: number) => ({ ...headersOf(SECRET), 'webhook-signature': among(before) });
  await verify({ headers: headers(9) });
  await assert.rejects(verify({ headers: headers(10) }), { code: 'invalid_signature' });
});
