import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES, type Role } from '@petstore-inventory/shared/words';
import type { Locator, Page } from 'playwright-core';
import { includesRole } from '../../../server/src/domain/access/roles.ts';
import { ADMIN_DOCUMENT, operationsIn } from '../../../server/test/support/openapi-document.ts';
import { openPage } from '../support/browser.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { makeEndpoint } from '../support/webhook-receiver.ts';

interface Control {
  readonly name: string | RegExp;
  readonly role?: 'button' | 'searchbox' | 'link' | 'checkbox';
  /** What it calls; the document has the role that it needs. */
  readonly operationId: string;
}

interface VisitedPage {
  readonly path: (shop: Shop) => string | Promise<string>;
  /** A text that shows when the page has its data. */
  readonly ready: string;
  readonly controls: readonly Control[];
}

const button = (name: string | RegExp, operationId: string): Control => ({ name, operationId });
const page = (path: string, ready: string, ...controls: readonly Control[]): VisitedPage => ({
  path: () => path,
  ready,
  controls,
});

async function firstAccount(shop: Shop): Promise<string> {
  const [account] = (await shop.send('GET', '/accounts')) as { id: string }[];
  return account?.id ?? '';
}

const PAGES: readonly VisitedPage[] = [
  page('/', 'Recent changes'),
  page(
    '/stock',
    'Golden Retriever puppy',
    button('Quantity of Golden Retriever puppy: 3', 'adjustInventory'),
  ),
  page(
    '/pets/1',
    'By van',
    button('Adjust stock', 'adjustInventory'),
    button('Available', 'setInventoryStatus'),
    button('More actions', 'archivePet'),
    button(/^Undo change/, 'revertMovement'),
  ),
  page('/orders', 'phone-17', button('New order', 'placeOrder')),
  page('/orders/1', 'Placed by', button('Approve', 'approveOrder'), button('Cancel order', 'cancelOrder')),
  page('/orders/2', 'Placed by', button('Deliver', 'deliverOrder')),
  page('/count', 'Nothing counted yet', {
    role: 'searchbox',
    name: 'Search or scan a pet',
    operationId: 'updateInventory',
  }),
  page('/stocktakes', 'Autumn', button('Start a stock-take', 'startStocktake')),
  {
    path: async (shop) => {
      const [stocktake] = (await shop.send('GET', '/stocktakes')) as { id: string }[];
      return `/stocktakes/${stocktake?.id}`;
    },
    ready: 'Nothing is counted yet',
    controls: [
      button('Cancel the stock-take', 'cancelStocktake'),
      button('Close', 'closeStocktake'),
      { role: 'link', name: 'Count for this stock-take', operationId: 'countPet' },
    ],
  },
  page('/activity', 'By van', button(/^Undo change/, 'revertMovement')),
  page('/reorders', 'units to order', button(/^Mark as ordered: /, 'updateReorder'), {
    name: 'Select all',
    role: 'checkbox',
    operationId: 'batchInventory',
  }),
  page('/orders/new', 'New order', button('Scan with the camera', 'placeOrder')),
  page('/imports', 'No imports yet', button('Choose a file', 'createImport')),
  page('/access', 'blackbox', button('Create an account', 'createAccount')),
  {
    path: async (shop) => `/access/accounts/${await firstAccount(shop)}`,
    ready: 'API keys',
    controls: [button('Create a key', 'createKey')],
  },
  page('/access/keys', 'blackbox', button('Create a key', 'createKey')),
  page('/access/management-keys', 'administrator', button('Create a key', 'createAdminKey')),
  page('/access/bans', 'No key is banned'),
  page('/access/sessions', 'This session'),
  page('/webhooks', 'shop.example', button('Add an endpoint', 'createWebhookEndpoint')),
  {
    path: async (shop) => {
      const [endpoint] = (await shop.send('GET', '/webhook-endpoints')) as { id: string }[];
      return `/webhooks/${endpoint?.id}`;
    },
    ready: 'Any status',
    controls: [
      button('Send a test', 'testWebhookEndpoint'),
      button('Pause', 'pauseWebhookEndpoint'),
      button('Edit', 'updateWebhookEndpoint'),
      button('More actions', 'deleteWebhookEndpoint'),
    ],
  },
  page('/system', 'Served', button('Edit', 'setThresholds')),
  page(
    '/system/ledger',
    'Prune',
    button('Verify', 'verifyLedger'),
    button('Count what would be deleted', 'pruneLedger'),
  ),
  page('/system/log', 'signed in'),
];

const NEEDED = new Map(
  operationsIn(ADMIN_DOCUMENT).map(({ operation }) => [operation.operationId, operation['x-role'] as Role]),
);

/** Whether a person can use a control: it is there, and neither disabled nor marked so. */
async function isUsable(control: Locator): Promise<boolean> {
  if ((await control.count()) === 0) return false;
  const isOff = await control.getAttribute('aria-disabled');
  return isOff !== 'true' && (await control.isEnabled());
}

function controlOn(opened: Page, { role = 'button', name }: Control): Locator {
  return opened.getByRole(role, { name, exact: typeof name === 'string' }).first();
}

for (const role of ROLES) {
  test(`with the role ${role} a person has its controls on each page, and no request of a page is forbidden`, async (t) => {
    const shop = await openShop(t);
    await shop.send('POST', '/inventory/1/adjustments', { delta: 2, reason: 'received', note: 'By van' });
    await shop.send('POST', '/stocktakes', { name: 'Autumn' });
    await makeEndpoint(shop, { url: 'https://shop.example/hooks' });
    const opened = await openPage(t, shop, { role, path: '/stock' });
    const forbidden: string[] = [];
    opened.on('response', (response) => {
      if (response.status() === 403) forbidden.push(`${response.request().method()} ${response.url()}`);
    });
    for (const { path, ready, controls } of PAGES) {
      const target = await path(shop);
      await opened.goto(target);
      await opened.getByText(ready).filter({ visible: true }).first().waitFor();
      for (const control of controls) {
        const needed = NEEDED.get(control.operationId);
        assert.ok(needed, control.operationId);
        const isAllowed = includesRole(role, needed);
        const found = controlOn(opened, control);
        if (isAllowed) await found.waitFor();
        assert.equal(await isUsable(found), isAllowed, `${control.name} on ${target} as ${role}`);
      }
    }
    assert.deepEqual(forbidden, []);
  });
}
