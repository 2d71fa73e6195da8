import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { until } from '../../../../server/test/support/until.ts';
import type { Shop } from '../../support/shop.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import type { People } from './people.ts';

const AGENTS = {
  tom: 'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  priya:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
};
const DELIVERY = `petId,name,category,quantity
31,Neon tetra,Fish,420
32,"Fancy guppy, male",Fish,190
42,Cherry barb,Fish,60
63,White-spotted bristlenose,Fish,24
64,Celestial pearl danio,Fish,80
`;
const STOCK_TAKE = `petId,quantity,status
43,5,available
44,7,available
45,-1,available
46,3,reserved
`;

/** A case of the supplier has a barcode of its own. */
const CODES = [
  [1, 'DOG-0001', []],
  [2, 'DOG-0002', []],
  [26, 'BIRD-0026', ['4012345678901']],
  [31, 'FISH-0031', ['4006381333931', '036000291452', '10036000291459']],
  [32, 'FISH-0032', ['96385074']],
] as const;

/** A stock-take: its pets, and what each count found more or less. */
const STOCKTAKES = [
  {
    name: 'Reptiles, again',
    category: 'Reptiles',
    posting: 'at_count',
    end: 'undo',
    found: { 44: 1, 45: -1 },
  },
  {
    name: 'Cats, by mistake',
    category: 'Cats',
    posting: 'at_count',
    end: 'cancel',
    found: { 12: 2, 13: -1 },
  },
  {
    name: 'Birds, spring',
    category: 'Birds',
    posting: 'at_count',
    end: 'close',
    found: { 21: -1, 22: 0, 23: 0, 24: 0, 25: 2, 26: -3, 27: 0, 28: 0, 29: 0 },
  },
  {
    name: 'Fish wall, autumn',
    category: 'Fish',
    posting: 'at_close',
    end: undefined,
    found: { 31: -12, 33: 0, 36: 3, 37: 0, 38: -6, 39: 1, 41: 0 },
  },
] as const;

async function takeStock(shop: Shop, { tom, priya }: People): Promise<void> {
  for (const { name, category, posting, end, found } of STOCKTAKES) {
    const made = (await shop.send('POST', '/stocktakes', { name, scope: { category }, posting })) as {
      id: string;
    };
    for (const [i, [id, more]] of Object.entries(found).entries()) {
      const petId = Number(id);
      const { quantity } = (await shop.send('GET', `/inventory/${id}`)) as { quantity: number };
      const counted = Math.max(quantity + more, 0);
      const { secret } = i % 3 === 0 ? priya : tom;
      await call(shop, secret, 'POST', `/admin/v1/stocktakes/${made.id}/counts`, { petId, counted });
    }
    if (end === 'cancel') await shop.send('POST', `/stocktakes/${made.id}/cancel`);
    else if (end !== undefined) await shop.send('POST', `/stocktakes/${made.id}/close`);
    if (end === 'undo') await shop.send('POST', `/stocktakes/${made.id}/undo`);
  }
}

/** What the service itself must have done: sign-ins, imports, webhooks with deliveries that fail, sales of this minute. */
export async function happenNow(t: Pick<TestContext, 'after'>, shop: Shop, people: People): Promise<void> {
  await signIn(shop, people.tom.secret, AGENTS.tom);
  await signIn(shop, people.priya.secret, AGENTS.priya);
  await subscribe(t, shop);
  await importFile(shop, people.priya.secret, { name: 'aquaworld-4725.csv', text: DELIVERY }, true);
  await importFile(shop, people.tom.secret, { name: 'reptile-count.csv', text: STOCK_TAKE }, false);
  await takeStock(shop, people);
  for (const [petId, sku, barcodes] of CODES) await shop.send('PATCH', `/pets/${petId}`, { sku, barcodes });
  for (const [key, petId, delta, referenceId] of [
    [people.till2, 38, -3, 'R2-2987'],
    [people.till1, 53, -1, 'R1-2988'],
    [people.till1, 31, -10, 'R1-2989'],
    [people.website, 33, -4, 'web-2990'],
    [people.till2, 27, -1, 'R2-2991'],
  ] as const) {
    await call(shop, key.secret, 'POST', `/v1/inventory/${petId}/adjustments`, {
      delta,
      reason: 'sold',
      referenceId,
    });
  }
}

async function signIn(shop: Shop, key: string, agent: string): Promise<void> {
  const response = await fetch(`${shop.url}/admin/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': agent },
    body: JSON.stringify({ key }),
  });
  assert.equal(response.status, 200, await response.text());
}

/** One endpoint works, one fails, and one is paused. */
async function subscribe(t: Pick<TestContext, 'after'>, shop: Shop): Promise<void> {
  const accounts = (await shop.send('GET', '/accounts')) as { id: string; name: string }[];
  const accountId = accounts.find(({ name }) => name === 'Web shop')?.id;
  const make = async (members: object) =>
    (
      (await shop.send('POST', '/webhook-endpoints', { accountId, ...members })) as {
        endpoint: { id: string };
      }
    ).endpoint.id;
  const [works, fails] = [await startReceiver(t), await startReceiver(t)];
  Object.assign(fails, { status: 503, body: 'upstream connect error' });
  const at = (receiver: { url: string }, path: string) => new URL(path, receiver.url).href;
  await make({ url: at(works, '/stock-cache'), description: 'Web shop: stock cache' });
  await make({
    url: at(fails, '/erp/orders'),
    description: 'Accounting: orders',
    types: ['inventory.changed', 'order.placed', 'order.delivered', 'order.returned'],
  });
  const paused = await make({
    url: at(works, '/slack/low-stock'),
    description: 'Low stock to the team chat',
    types: ['inventory.low', 'inventory.out', 'inventory.oversold'],
  });
  await shop.send('POST', `/webhook-endpoints/${paused}/pause`);
}

async function importFile(
  shop: Shop,
  key: string,
  { name, text }: { readonly name: string; readonly text: string },
  isApplied: boolean,
): Promise<void> {
  const made = (await call(shop, key, 'POST', `/admin/v1/imports?fileName=${name}`, text)) as { id: string };
  const path = `/admin/v1/imports/${made.id}`;
  const isOver = async () => {
    const { state } = (await call(shop, key, 'GET', path)) as { state: string };
    return state !== 'checking' && state !== 'applying';
  };
  await until(isOver, 'the plan of an import');
  if (!isApplied) return;
  await call(shop, key, 'POST', `${path}/apply`);
  await until(isOver, 'an applied import');
}

async function call(
  shop: Shop,
  key: string,
  method: string,
  path: string,
  body?: object | string,
): Promise<unknown> {
  const response = await fetch(shop.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': typeof body === 'string' ? 'text/csv' : 'application/json',
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
