import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminShop } from '../support/admin-shop.ts';

const PATH = '/admin/v1/webhook-endpoints';
const URL_TEXT = 'https://shop.example/hooks';

test('the management API manages the endpoints of any account, in pages and with the key as author', async (t) => {
  const { app, send, principal } = await adminShop(t, 'administrator', {
    config: { PETSTORE_MAX_WEBHOOK_ENDPOINTS: '3' },
  });
  const accounts = [app.principal.account.id, await app.makeAccount()];
  const ids: string[] = [];
  for (const accountId of [...accounts, ...accounts]) {
    const made = await send('POST', PATH, { accountId, url: URL_TEXT, petIds: [7] });
    assert.equal(made.status, 201, made.text);
    const { endpoint } = made.json as { endpoint: { id: string; accountId: string } };
    assert.equal(endpoint.accountId, accountId);
    assert.ok(made.headers.get('Location')?.endsWith(`${PATH}/${endpoint.id}`));
    ids.push(endpoint.id);
  }
  const listed: string[] = [];
  for (let next: string | undefined = `${PATH}?limit=3`; next;) {
    const { json, headers } = await send('GET', next);
    listed.push(...(json as { id: string }[]).map(({ id }) => id));
    next = /<[^>]*(\/admin\/v1[^>]+)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
  }
  assert.deepEqual(listed, ids.toSorted());
  const own = (await send('GET', `${PATH}?accountId=${accounts[0]}`)).json as { id: string }[];
  assert.deepEqual(
    own.map(({ id }) => id),
    ids.filter((_id, i) => i % 2 === 0).toSorted(),
  );
  assert.deepEqual((await app.request('GET', '/v1/webhook-endpoints')).json, own);
  const paused = await send('POST', `${PATH}/${ids[1]}/pause`);
  assert.equal(paused.status, 200, paused.text);
  const [entry] = await app.admin.activity.list({ action: 'webhooks.pause', limit: 1 });
  assert.deepEqual([entry?.actor, entry?.target], [principal.key.id, ids[1]]);
});

test('only administrators and the account itself see the tokens of a URL', async (t) => {
  const { app, send } = await adminShop(t, 'administrator');
  const url = `${URL_TEXT}?token=secret&a`;
  const accountId = app.principal.account.id;
  const { endpoint } = (await send('POST', PATH, { accountId, url })).json as { endpoint: { id: string } };
  const shown = async (key?: string) => {
    const base = key === undefined ? '/v1/webhook-endpoints' : PATH;
    const request = (path: string) => app.request('GET', path, key === undefined ? {} : { key });
    const [listed] = (await request(base)).json as unknown as { url: string }[];
    const found = (await request(`${base}/${endpoint.id}`)).json as { url: string };
    return [listed?.url, found.url];
  };
  assert.deepEqual(await shown(), [url, url]);
  for (const role of ['viewer', 'staff', 'administrator'] as const) {
    const { key } = await app.makeAdminKey(role);
    const seen = role === 'administrator' ? url : `${URL_TEXT}?token=***&***`;
    assert.deepEqual(await shown(key), [seen, seen], role);
  }
});

test('the management API refuses an unknown account and a bad filter by its name', async (t) => {
  const { app, send } = await adminShop(t, 'administrator');
  const post = (body: object) => send('POST', PATH, body);
  assert.match((await post({ url: URL_TEXT })).text, /accountId is required/);
  assert.match((await post({ url: URL_TEXT, accountId: 'shop' })).text, /accountId must be the id/);
  assert.equal((await post({ url: URL_TEXT, accountId: 'acc_0000000000000000' })).code, 'not_found');
  assert.match((await post({ url: 'https://10.0.0.1', accountId: app.principal.account.id })).text, /url: /);
  for (const query of ['?accountId=x', '?limit=0', '?cursor=x', '?other=1']) {
    assert.equal((await send('GET', PATH + query)).code, 'invalid_parameter', query);
  }
});
