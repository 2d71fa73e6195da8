import type { Page } from 'playwright-core';
import { LISTED_PAGES } from '../support/page-list.ts';
import type { Shop } from '../support/shop.ts';

export interface PageState {
  readonly name: string;
  readonly path: string;
  /** The shop after four weeks, or one without a pet. */
  readonly shop: 'busy' | 'empty';
  /** Without a session. */
  readonly isSignedOut?: boolean;
  /** Called before the page opens, such as to withhold responses. */
  readonly before?: (page: Page) => Promise<unknown>;
  /** Resolves when the page is in the state. */
  readonly prepare: (page: Page, shop: Shop) => Promise<unknown>;
}

/** The pages of the navigation and their parts, each with the names of its data that fail on their own. */
const PATHS = [
  '/',
  '/stock',
  '/pets/31',
  '/count',
  '/stocktakes',
  '/orders',
  '/orders/new',
  '/activity',
  '/reorders',
  '/reports',
  '/reports/movements',
  '/reports/variance',
  '/imports',
  '/access',
  '/access/keys',
  '/access/management-keys',
  '/access/bans',
  '/access/sessions',
  '/webhooks',
  '/system',
  '/system/ledger',
  '/system/log',
] as const;
/** Parts of the page that do not read anything, or from another page's data. */
const WITHOUT_ERROR: ReadonlySet<string> = new Set(['/orders/new', '/imports', '/system/ledger', '/count']);
/** What every page needs to show anything. */
const OF_SESSION = /\/admin\/v1\/(?:session|stream|language)\b/;

const heading = (page: Page) => page.locator('main h1').first().waitFor();
const settled = async (page: Page) => {
  await heading(page);
  await page.locator('main .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
};
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
/** Opens a menu or a dialog, whose first control shows when it is there. */
const opened = async (page: Page, name: string | RegExp, shows: 'menuitem' | 'dialog') => {
  await settled(page);
  await button(page, name).click();
  await page.getByRole(shows).first().waitFor();
};

const editOffline = async (page: Page, field: string, value: string) => {
  await settled(page);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.context().setOffline(true);
  await page.getByText(/^Offline since/).waitFor();
  await page.keyboard.press('d');
  await page.getByRole('dialog').getByLabel(field).fill(value);
  await page.keyboard.press('Enter');
  await page.locator('[data-waiting-details]').waitFor();
};

const loading = PATHS.map((path): PageState => ({
  name: `loading ${path}`,
  path,
  shop: 'busy',
  before: (page) =>
    page.route('**/admin/v1/**', (route) => {
      // A request without a response waits.
      if (OF_SESSION.test(route.request().url())) void route.continue();
    }),
  prepare: (page) => page.locator('main > *').first().waitFor(),
}));

const failed = PATHS.filter((path) => !WITHOUT_ERROR.has(path)).map((path): PageState => ({
  name: `error ${path}`,
  path,
  shop: 'busy',
  before: (page) =>
    page.route('**/admin/v1/**', (route) =>
      OF_SESSION.test(route.request().url())
        ? route.continue()
        : route.fulfill({ status: 503, contentType: 'application/json', body: '{}' }),
    ),
  prepare: (page) => button(page, 'Try again').waitFor(),
}));

const empty = PATHS.filter((path) => path !== '/pets/31').map((path): PageState => ({
  name: `empty ${path}`,
  path,
  shop: 'empty',
  prepare: settled,
}));

const offline = PATHS.map((path): PageState => ({
  name: `offline ${path}`,
  path,
  shop: 'busy',
  prepare: async (page) => {
    await settled(page);
    await page.context().setOffline(true);
    await page.getByText(/^Offline since/).waitFor();
  },
}));

/** A ban ends within minutes. */
const EARLY = 'access-bans';
const listed = LISTED_PAGES.toSorted((a, b) => Number(b.name === EARLY) - Number(a.name === EARLY)).map(
  ({ name, path, prepare }): PageState => ({
    name,
    path,
    shop: 'busy',
    prepare,
  }),
);

const single: readonly PageState[] = [
  {
    name: 'sign-in',
    path: '/',
    shop: 'empty',
    isSignedOut: true,
    prepare: (page) => page.getByLabel('Management key').waitFor(),
  },
  {
    name: 'sign-in refused',
    path: '/',
    shop: 'empty',
    isSignedOut: true,
    prepare: async (page) => {
      await page.getByLabel('Management key').fill(`psa_${'x'.repeat(43)}`);
      await button(page, 'Sign in').click();
      await page.getByText('This key does not work.').waitFor();
    },
  },
  {
    name: 'not found',
    path: '/nothing',
    shop: 'empty',
    prepare: (page) => page.getByText('There is no such page').waitFor(),
  },
  {
    name: 'no such order',
    path: '/orders/999999',
    shop: 'empty',
    prepare: (page) => page.getByText('There is no').first().waitFor(),
  },
  {
    name: 'menu of the account',
    path: '/stock',
    shop: 'busy',
    prepare: (page) => opened(page, /^Account/, 'menuitem'),
  },
  {
    name: 'menu of the export',
    path: '/stock',
    shop: 'busy',
    prepare: (page) => opened(page, 'Export', 'menuitem'),
  },
  {
    name: 'menu of views',
    path: '/orders',
    shop: 'busy',
    prepare: (page) => opened(page, 'Views', 'menuitem'),
  },
  {
    name: 'menu of filters',
    path: '/stock',
    shop: 'busy',
    prepare: (page) => opened(page, 'Filter', 'menuitem'),
  },
  {
    name: 'menu of a pet',
    path: '/pets/31',
    shop: 'busy',
    prepare: (page) => opened(page, 'More actions', 'menuitem'),
  },
  {
    name: 'menu of a status',
    path: '/pets/31',
    shop: 'busy',
    prepare: async (page) => {
      await settled(page);
      await page.getByTitle('Change the status').click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'menu of a report',
    path: '/reports',
    shop: 'busy',
    prepare: (page) => opened(page, 'Export', 'menuitem'),
  },
  {
    name: 'list of a filter',
    path: '/reorders',
    shop: 'busy',
    prepare: async (page) => {
      await settled(page);
      await page.getByRole('combobox', { name: 'Category' }).or(page.getByLabel('Category')).first().click();
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'dialog of a new pet',
    path: '/',
    shop: 'busy',
    prepare: (page) => opened(page, 'Add a pet', 'dialog'),
  },
  {
    name: 'dialog of a new account',
    path: '/access',
    shop: 'busy',
    prepare: (page) => opened(page, 'Create an account', 'dialog'),
  },
  {
    name: 'dialog of a new management key',
    path: '/access/management-keys',
    shop: 'busy',
    prepare: (page) => opened(page, 'Create a key', 'dialog'),
  },
  {
    name: 'dialog with errors',
    path: '/',
    shop: 'busy',
    prepare: async (page) => {
      await opened(page, 'Add a pet', 'dialog');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Id', { exact: true }).fill('x');
      await dialog.getByText('Type a whole number.').first().waitFor();
    },
  },
  {
    name: 'dialog that asks before it discards',
    path: '/',
    shop: 'busy',
    prepare: async (page) => {
      await opened(page, 'Add a pet', 'dialog');
      await page.getByRole('dialog').getByLabel('Name').fill('Rex');
      await page.keyboard.press('Escape');
      await page.getByText('Discard what you entered?').waitFor();
    },
  },
  {
    name: 'table of the trade',
    path: '/',
    shop: 'busy',
    prepare: async (page) => {
      await settled(page);
      const trade = page.getByRole('region', { name: 'Sold, received, lost' });
      await trade.getByRole('button', { name: 'Show as table' }).click();
      await trade.getByRole('table').waitFor();
    },
  },
  {
    name: 'table of the usage',
    path: '/access',
    shop: 'busy',
    prepare: async (page) => {
      await settled(page);
      await button(page, 'Show as table').click();
      await page.getByRole('columnheader', { name: 'Time before' }).waitFor();
    },
  },
  {
    name: 'search without a match',
    path: '/stock',
    shop: 'busy',
    prepare: async (page) => {
      await page.getByRole('searchbox').fill('zzzz');
      await page.getByText('No pet matches').waitFor();
    },
  },
  {
    name: 'toast',
    path: '/stock',
    shop: 'busy',
    prepare: async (page) => {
      await page.locator('#row-12 [data-cell="quantity"]').click();
      await page.keyboard.type('+1');
      await page.keyboard.press('Enter');
      await button(page, 'Undo').waitFor();
    },
  },
  {
    name: 'conflict in the stock',
    path: '/stock',
    shop: 'busy',
    prepare: async (page, shop) => {
      await page.locator('#row-13 [data-cell="quantity"]').click();
      await page.keyboard.type('9');
      await shop.send('PATCH', '/inventory/13', { quantity: 5 });
      await page.keyboard.press('Enter');
      await button(page, 'Set 9').waitFor();
    },
  },
  {
    name: 'conflict of a pet',
    path: '/pets/14',
    shop: 'busy',
    prepare: async (page, shop) => {
      await settled(page);
      await page.keyboard.press('e');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').first().fill('9');
      await shop.send('PATCH', '/inventory/14', { quantity: 5 });
      await page.getByText(/changed it to 5/).waitFor();
    },
  },
  {
    name: 'an edit that waits',
    path: '/stock',
    shop: 'busy',
    prepare: async (page) => {
      await page.locator('#row-15 [data-cell="quantity"]').waitFor();
      await page.context().setOffline(true);
      await page.getByText(/^Offline since/).waitFor();
      await page.locator('#row-15 [data-cell="quantity"]').click();
      await page.keyboard.type('4');
      await page.keyboard.press('Enter');
      await page
        .getByText(/1 change waits/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'details of a pet that wait',
    path: '/pets/31',
    shop: 'busy',
    prepare: (page) => editOffline(page, 'Name', 'Neon tetra, large'),
  },
  {
    name: 'a conflict of details',
    path: '/pets/16',
    shop: 'busy',
    prepare: async (page, shop) => {
      await editOffline(page, 'Category', 'Indoor cats');
      await shop.send('PATCH', '/pets/16', { category: 'House cats' });
      await page.context().setOffline(false);
      await button(page, 'Keep theirs').waitFor();
    },
  },
  {
    name: 'an edit that was refused',
    path: '/pets/17',
    shop: 'busy',
    prepare: async (page, shop) => {
      await editOffline(page, 'SKU', 'CAT-17');
      await shop.send('PATCH', '/pets/18', { sku: 'CAT-17' });
      await page.context().setOffline(false);
      await button(page, 'Edit again').waitFor();
    },
  },
  {
    name: 'counts with an edit that was refused',
    path: '/pets/19',
    shop: 'busy',
    prepare: async (page, shop) => {
      await editOffline(page, 'SKU', 'CAT-19');
      await shop.send('PATCH', '/pets/20', { sku: 'CAT-19' });
      await page.context().setOffline(false);
      await button(page, 'Edit again').waitFor();
      await page.goto('/count');
      await button(page, 'Edit again').waitFor();
    },
  },
  {
    name: 'palette without a match',
    path: '/stock',
    shop: 'busy',
    prepare: async (page) => {
      await page.locator('#row-1').waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('zzzz');
      await page.getByText('Nothing found').waitFor();
    },
  },
  {
    name: 'dialog that removes the thresholds of many pets',
    path: '/stock',
    shop: 'busy',
    prepare: async (page) => {
      await page.locator('#row-1').waitFor();
      await page.keyboard.press('Control+a');
      await button(page, /^Edit$/).click();
      await page.getByRole('dialog').getByText('Thresholds', { exact: true }).click();
      await page.getByLabel(/^Remove the thresholds of/).check();
    },
  },
];

export const PAGE_STATES: readonly PageState[] = [
  ...listed,
  ...loading,
  ...failed,
  ...empty,
  ...offline,
  ...single,
];
