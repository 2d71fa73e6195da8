import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { WebhookStore } from '../../src/domain/webhooks/webhook-store.ts';
import { signatureHeader, signingKey } from '../../src/webhooks/delivery/signature.ts';
import { systemWait, type Wait } from '../../src/webhooks/periodic-task.ts';
import { until } from '../support/until.ts';
import { AUTHOR, everything } from '../webhook-endpoints/endpoint-shop.ts';
import { type Received, startReceiver } from './receiver.ts';
import { countedLeases, newSendingShop } from './sending-shop.ts';

const HOUR_MS = 3_600_000;
const FAILURES = 4;
/** The pause after the fourth failure has no end here; all others are short. */
const wait: Wait = (ms, signal) => systemWait(ms > 9_000 ? HOUR_MS : Math.min(ms, 20), signal);

interface Row {
  /** Returns the new secret, if there is one. */
  readonly change: (webhooks: WebhookStore, id: string) => Promise<{ readonly secret?: string }>;
  /** Whether the failures and the pause between attempts end. */
  readonly resets: boolean;
  /** Where later attempts are sent, after the path of the endpoint; `null`: there is none. */
  readonly suffix: string | null;
  /** How many secrets sign after the change. */
  readonly signatures?: number;
  /** What a healthy endpoint receives after the change, when the event 3.0 follows. */
  readonly places?: readonly string[];
}

/** What the interface shows after a change, and what the running queue does, is the same. */
const CHANGES: Readonly<Record<string, Row>> = {
  'a new URL': {
    change: async (webhooks, id) => {
      const { url } = await webhooks.find(id);
      return webhooks.update(id, { url: `${url}-new` }, AUTHOR).then(() => ({}));
    },
    resets: true,
    suffix: '-new',
  },
  'the same URL': {
    change: async (webhooks, id) => {
      const { url } = await webhooks.find(id);
      return webhooks.update(id, { url }, AUTHOR).then(() => ({}));
    },
    resets: false,
    suffix: '',
  },
  'a description': {
    change: (webhooks, id) => webhooks.update(id, { description: 'x' }, AUTHOR).then(() => ({})),
    resets: false,
    suffix: '',
  },
  'another filter': {
    change: (webhooks, id) => webhooks.update(id, { petIds: [1n] }, AUTHOR).then(() => ({})),
    resets: false,
    suffix: '',
  },
  'a rotation with an overlap': {
    change: (webhooks, id) => webhooks.rotateSecret(id, HOUR_MS, AUTHOR),
    resets: true,
    suffix: '',
    signatures: 2,
  },
  'a rotation without an overlap': {
    change: (webhooks, id) => webhooks.rotateSecret(id, 0, AUTHOR),
    resets: true,
    suffix: '',
  },
  'a pause': {
    change: (webhooks, id) => webhooks.pause(id, AUTHOR).then(() => ({})),
    resets: false,
    suffix: null,
  },
  'a pause and a resumption': {
    change: async (webhooks, id) => {
      await webhooks.pause(id, AUTHOR);
      return webhooks.resume(id, AUTHOR).then(() => ({}));
    },
    resets: true,
    suffix: '',
  },
  'a resumption of an endpoint that is not paused': {
    change: (webhooks, id) => webhooks.resume(id, AUTHOR).then(() => ({})),
    resets: true,
    suffix: '',
  },
  'a replay': {
    change: (webhooks, id) => webhooks.replay(id, { sequence: 1, number: 1 }, AUTHOR).then(() => ({})),
    resets: true,
    suffix: '',
    places: ['2.0', '3.0'],
  },
  'a deletion': {
    change: (webhooks, id) => webhooks.delete(id, AUTHOR).then(() => ({})),
    resets: false,
    suffix: null,
  },
};

/** A running sender with an endpoint per change, each with a path of its own. */
async function startAll(t: TestContext, status: number) {
  const shop = await newSendingShop(t);
  const answered = { status };
  const receiver = await startReceiver(t, (response) => response.writeHead(answered.status).end());
  const endpoints: { name: string; row: Row; id: string; path: string; secret: string }[] = [];
  const fields = { ...everything('acc_shop'), types: ['inventory.changed'] as const };
  for (const [i, [name, row]] of Object.entries(CHANGES).entries()) {
    const path = `/${i}`;
    const url = receiver.url + path;
    const { endpoint, secret } = await shop.store.webhooks.create({ ...fields, url }, 100, AUTHOR);
    endpoints.push({ name, row, id: endpoint.id, path, secret });
  }
  const leases = countedLeases();
  const { sender } = await shop.startSender({
    wait,
    wrap: leases.wrap,
  });
  /** Resolves when the queues have every change that was made before the call. */
  const noticed = () => {
    const before = leases.count();
    return until(() => leases.count() > before + 2, 'renewals');
  };
  return { shop, receiver, answered, endpoints, sender, noticed };
}

function isSignedWith(secret: string, { id, headers, body }: Received): boolean {
  const own = signatureHeader([signingKey(secret)], id, Number(headers['webhook-timestamp']), body);
  return String(headers['webhook-signature']).split(' ').includes(own);
}

test('after each change of an endpoint that fails, its queue does what the interface shows', async (t) => {
  const { shop, receiver, endpoints, noticed } = await startAll(t, 500);
  await shop.change(1, 100);
  const failures = async (id: string) => (await shop.store.webhooks.find(id)).failures;
  for (const { id, name } of endpoints) {
    await until(async () => (await failures(id)) === FAILURES, `the failures before ${name}`);
  }
  for (const { name, row, id, path } of endpoints) {
    const { suffix, resets, signatures = 1 } = row;
    const { secret } = await row.change(shop.store.webhooks, id);
    await noticed();
    if (suffix === null || !resets) {
      assert.equal(receiver.messages(path).length, FAILURES, `no attempt after ${name}`);
      if (suffix !== null) assert.equal(await failures(id), FAILURES, name);
      continue;
    }
    // The failures are counted from the start, with the short pauses of the start.
    await until(async () => (await failures(id)) === FAILURES, `the attempts after ${name}`);
    const attempts = receiver.messages(path + suffix).slice(suffix === '' ? FAILURES : 0);
    assert.equal(attempts.length, FAILURES, name);
    for (const attempt of attempts) {
      assert.equal(String(attempt.headers['webhook-signature']).split(' ').length, signatures, name);
      if (secret !== undefined) assert.ok(isSignedWith(secret, attempt), name);
    }
    const logged = await shop.store.webhooks.attempts(id);
    assert.deepEqual(
      logged.slice(0, FAILURES).map(({ attempt }) => attempt),
      [4, 3, 2, 1],
      name,
    );
  }
});

test('after each change of a healthy endpoint, the next event arrives as the interface shows', async (t) => {
  const { shop, receiver, endpoints, sender, noticed } = await startAll(t, 204);
  await shop.change(1, 100);
  for (const { id, name } of endpoints) {
    const cursor = async () => (await shop.store.webhooks.find(id)).cursor.sequence;
    await until(async () => (await cursor()) === 2, `the event before ${name}`);
  }
  const secrets = new Map<string, string>();
  for (const { row, id, name } of endpoints) {
    const { secret } = await row.change(shop.store.webhooks, id);
    if (secret !== undefined) secrets.set(name, secret);
  }
  await noticed();
  await shop.change(1, 101);
  for (const { name, row, path, secret: first } of endpoints) {
    const { suffix, signatures = 1, places = ['3.0'] } = row;
    const after = () => receiver.messages(path + (suffix ?? '')).slice(suffix === '-new' ? 0 : 1);
    await until(() => after().length >= (suffix === null ? 0 : places.length), `events after ${name}`);
    await noticed();
    assert.deepEqual(
      after().map(({ place }) => place),
      suffix === null ? [] : places,
      name,
    );
    for (const message of after()) {
      assert.ok(isSignedWith(secrets.get(name) ?? first, message), name);
      assert.equal(String(message.headers['webhook-signature']).split(' ').length, signatures, name);
    }
  }
  assert.equal(sender.numbers().endpoints.failing, 0);
});

test('a change through another instance is noticed within 5 seconds, as the guide says', async (t) => {
  const shop = await newSendingShop(t);
  const leases = countedLeases();
  const waits: number[] = [];
  await shop.startSender({
    wrap: leases.wrap,
    wait: (ms, signal) => {
      waits.push(ms);
      return systemWait(Math.min(ms, 20), signal);
    },
  });
  await until(() => leases.count() > 2, 'renewals without a wake');
  assert.ok(waits.includes(5_000), String(new Set(waits)));
});
