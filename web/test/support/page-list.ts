import type { Page } from 'playwright-core';

export interface ListedPage {
  /** The name of its pictures. */
  readonly name: string;
  readonly path: string;
  /** Resolves when the page shows its data, and brings it into the state to look at. */
  prepare(page: Page): Promise<unknown>;
}

/** As another program writes it. */
const DELIVERY = [
  'Item no;Title;Supplier;Units;Group',
  '1;Labrador Retriever puppy;Pets Ltd;12;Dogs',
  '2;Golden Retriever puppy;Pets Ltd;4;Puppies',
  '5001;Dwarf rabbit;Burrow & Sons;9;Rabbits',
  '3;;Pets Ltd;1;',
];

const chooseFile = (page: Page, name: string, lines: readonly string[]) =>
  page.setInputFiles('input[type="file"]', {
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\n')),
  });

/** Finds a pet in the stock list, and selects it. */
async function select(page: Page, petId: number): Promise<void> {
  await page.getByRole('searchbox').fill(String(petId));
  await page.locator(`#row-${petId} input[type="checkbox"]`).click();
  await page.getByRole('searchbox').fill('');
}

/** Opens a stock-take from the list. */
async function openStocktake(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { name }).waitFor();
  await page.getByRole('progressbar').waitFor();
  await page.getByRole('table', { name: 'Differences' }).waitFor();
}

/** Refuses a cancel as the service does, because of 23 pets. */
async function refuseCancel(page: Page): Promise<void> {
  const petIds = Array.from({ length: 20 }, (_, i) => 31 + i);
  await page.route('**/cancel', (route) =>
    route.fulfill({
      status: 409,
      headers: {
        'Inventory-Pets': petIds.map((petId) => `${petId};quantity=${petId};result=${30 - petId}`).join(', '),
        'Inventory-Pet-Count': '23',
      },
      json: { code: 'insufficient_stock', message: 'The stock-take was not cancelled.', status: 409 },
    }),
  );
}

/** The pages and states that `npm run screenshots` takes pictures of, and that axe looks at. */
export const LISTED_PAGES: readonly ListedPage[] = [
  { name: 'stock', path: '/stock', prepare: (page) => page.locator('#row-1').waitFor() },
  {
    name: 'stock-low',
    path: '/stock?alert=any&sort=-alert',
    prepare: (page) => page.getByText('Alert: Low or out').waitFor(),
  },
  {
    name: 'stock-edit',
    path: '/stock',
    prepare: async (page) => {
      await page.locator('#row-3 [data-cell="quantity"]').click();
      await page.keyboard.type('+12');
    },
  },
  {
    name: 'stock-adjust',
    path: '/stock?category=Dogs',
    prepare: async (page) => {
      for (const petId of [1, 2, 3]) await page.locator(`#row-${petId} input[type="checkbox"]`).click();
      await page.getByRole('button', { name: 'Adjust stock' }).click();
      await page.getByRole('dialog').getByRole('textbox').first().fill('-3');
      await page.getByText('cannot be changed').waitFor();
    },
  },
  {
    name: 'keys',
    path: '/stock',
    prepare: async (page) => {
      await page.locator('#row-1').waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'palette',
    path: '/stock',
    prepare: async (page) => {
      await page.locator('#row-1').waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('gold');
      await page.getByRole('dialog').getByText('Goldfish, comet').waitFor();
    },
  },
  {
    name: 'orders',
    path: '/orders',
    prepare: (page) => page.getByRole('row', { name: 'Neon tetra' }).first().waitFor(),
  },
  {
    name: 'order',
    path: '/orders?status=approved',
    prepare: async (page) => {
      await page.getByRole('row', { name: 'Neon tetra' }).getByRole('link').first().click();
      await page.getByText('Delivered 40 × Neon tetra').waitFor();
      await page.keyboard.press('d');
      await page.getByRole('form', { name: 'Deliver units' }).waitFor();
    },
  },
  {
    name: 'order-new',
    path: '/orders/new',
    prepare: async (page) => {
      await page.getByRole('combobox', { name: 'Add a pet' }).fill('labrador');
      await page.getByRole('option').first().click();
      await page.getByRole('textbox', { name: 'Units of Labrador' }).fill('40');
      await page.getByText(/Only \d available/).waitFor();
      await page.getByRole('combobox', { name: 'Add a pet' }).fill('gold');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'access',
    path: '/access',
    prepare: (page) => page.getByRole('table').waitFor(),
  },
  {
    name: 'access-account',
    path: '/access',
    prepare: async (page) => {
      await page.getByRole('table').getByRole('link').first().click();
      await page.getByRole('table', { name: 'API keys' }).waitFor();
      await page.getByRole('img', { name: /equests/ }).waitFor();
    },
  },
  {
    name: 'access-key',
    path: '/access/keys',
    prepare: async (page) => {
      await page.getByRole('table').getByRole('link').first().click();
      await page.getByRole('dialog').getByText('Works').waitFor();
    },
  },
  {
    name: 'access-new-key',
    path: '/access/keys',
    prepare: async (page) => {
      await page.getByRole('table').waitFor();
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByText('Choose', { exact: true }).click();
    },
  },
  {
    name: 'access-bans',
    path: '/access/bans',
    prepare: (page) => page.getByRole('table').waitFor(),
  },
  {
    name: 'access-management',
    path: '/access/management-keys',
    prepare: (page) => page.getByRole('table').waitFor(),
  },
  {
    name: 'access-sessions',
    path: '/access/sessions',
    prepare: (page) => page.getByText('This session').waitFor(),
  },
  {
    name: 'webhooks',
    path: '/webhooks',
    prepare: (page) => page.getByText('No endpoints yet').or(page.getByRole('table')).waitFor(),
  },
  {
    name: 'webhooks-endpoint',
    path: '/webhooks',
    prepare: async (page) => {
      await page.getByRole('table').getByRole('link', { name: 'erp' }).click();
      await page.getByRole('table').waitFor();
    },
  },
  {
    name: 'webhooks-new',
    path: '/webhooks',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add an endpoint' }).click();
      await page.getByText('Choose', { exact: true }).click();
    },
  },
  {
    name: 'overview',
    path: '/',
    prepare: async (page) => {
      await page.getByRole('list', { name: 'Recent changes' }).waitFor();
      for (const chart of ['Sold, received, lost', 'Changes in the last 24 hours'])
        await page.getByRole('region', { name: chart }).getByRole('img').first().waitFor();
    },
  },
  {
    name: 'pet',
    path: '/pets/31',
    prepare: async (page) => {
      await page.getByRole('img', { name: /Quantity from/ }).waitFor();
      await page.getByRole('list', { name: 'Changes' }).getByRole('listitem').first().waitFor();
    },
  },
  {
    name: 'pet-table',
    path: '/pets/31',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Show as table' }).click();
      await page.getByRole('cell').first().waitFor();
    },
  },
  {
    name: 'pet-adjust',
    path: '/pets/31',
    prepare: async (page) => {
      await page.getByRole('img', { name: /Quantity from/ }).waitFor();
      await page.keyboard.press('e');
      await page.getByRole('dialog').getByRole('textbox').first().fill('+12');
    },
  },
  {
    name: 'pet-edit',
    path: '/pets/31',
    prepare: async (page) => {
      await page.getByRole('img', { name: /Quantity from/ }).waitFor();
      await page.keyboard.press('d');
      await page.getByRole('textbox', { name: 'Barcodes' }).fill('4012345678900');
      await page.getByRole('textbox', { name: 'SKU' }).click();
      await page.getByText('check digit').waitFor();
    },
  },
  {
    name: 'activity',
    path: '/activity',
    prepare: (page) => page.getByRole('list', { name: 'Changes of stock' }).waitFor(),
  },
  {
    name: 'activity-filter',
    path: '/activity?kind=reserve',
    prepare: async (page) => {
      await page.getByRole('list', { name: 'Changes of stock' }).waitFor();
      await page.keyboard.press('f');
      await page.getByRole('combobox', { name: 'Reason' }).waitFor();
    },
  },
  {
    name: 'count',
    path: '/count',
    prepare: async (page) => {
      await page.getByText('Scan an id, or search a pet').waitFor();
      for (const [petId, quantity] of [
        ['31', '338'],
        ['26', '40'],
        ['2', '5'],
      ] as const) {
        await page.getByRole('searchbox', { name: 'Search or scan a pet' }).fill(petId);
        await page.getByRole('search').getByRole('button', { name: petId }).first().click();
        await page.keyboard.type(quantity, { delay: 60 });
        await page.getByRole('button', { name: 'Save and next' }).click();
      }
      await page.getByText('Recorded').nth(2).waitFor();
      await page.getByRole('button', { name: 'Count Zebra finch again' }).click();
      await page.keyboard.type('4');
    },
  },
  {
    name: 'count-unknown',
    path: '/count',
    prepare: async (page) => {
      await page.getByText('Scan an id, or search a pet').waitFor();
      await page.keyboard.type('4012345000016', { delay: 5 });
      await page.keyboard.press('Enter');
      await page.getByText('No pet has the code').waitFor();
    },
  },
  {
    name: 'count-add-code',
    path: '/count',
    prepare: async (page) => {
      await page.getByText('Scan an id, or search a pet').waitFor();
      await page.keyboard.type('4012345000016', { delay: 5 });
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'New pet' }).click();
      await page
        .getByRole('dialog')
        .getByText('4012345000016')
        .or(page.getByRole('dialog').getByLabel('Id'))
        .first()
        .waitFor();
    },
  },
  {
    name: 'reorders',
    path: '/reorders',
    prepare: (page) => page.getByRole('table', { name: 'What to order' }).waitFor(),
  },
  {
    name: 'reorders-mark',
    path: '/reorders?state=to_order',
    prepare: async (page) => {
      await page.getByRole('table', { name: 'What to order' }).waitFor();
      // On a phone its label covers the box.
      await page.getByText('Select all', { exact: true }).click();
      await page.getByRole('button', { name: /^Mark \d+ as ordered/ }).click();
      await page.getByRole('dialog').getByLabel('Expected on').waitFor();
    },
  },
  {
    name: 'reports',
    path: '/reports',
    prepare: (page) => page.getByRole('table', { name: 'Stock' }).waitFor(),
  },
  {
    name: 'reports-movements',
    path: '/reports/movements?by=category',
    prepare: (page) => page.getByRole('table', { name: 'Movements' }).waitFor(),
  },
  {
    name: 'reports-variance',
    path: '/reports/variance?by=category',
    prepare: (page) => page.getByRole('table', { name: 'Stock-takes' }).waitFor(),
  },
  {
    name: 'stocktakes',
    path: '/stocktakes',
    prepare: (page) => page.getByRole('cell', { name: /^7 of/ }).waitFor(),
  },
  {
    name: 'stocktakes-new',
    path: '/stocktakes',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Start a stock-take' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: /^Name/ }).fill('Terraria, November');
      await dialog.getByLabel('Category', { exact: true }).fill('Reptiles');
      await dialog.getByText('When the stock-take is closed').click();
    },
  },
  {
    name: 'stocktakes-differences',
    path: '/stocktakes?state=running',
    prepare: (page) => openStocktake(page, 'Fish wall, autumn'),
  },
  {
    name: 'stocktakes-counted',
    path: '/stocktakes?state=running',
    prepare: async (page) => {
      await openStocktake(page, 'Fish wall, autumn');
      await page.getByRole('link', { name: /^Counted/ }).click();
      await page.getByRole('table', { name: 'Counted' }).waitFor();
    },
  },
  {
    name: 'stocktakes-uncounted',
    path: '/stocktakes?state=running',
    prepare: async (page) => {
      await openStocktake(page, 'Fish wall, autumn');
      await page.getByRole('link', { name: /^Not counted/ }).click();
      await page.getByRole('table', { name: 'Not counted' }).waitFor();
    },
  },
  {
    name: 'stocktakes-close',
    path: '/stocktakes?state=running',
    prepare: async (page) => {
      await openStocktake(page, 'Fish wall, autumn');
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByRole('dialog').getByText('pets are posted').waitFor();
    },
  },
  {
    name: 'stocktakes-undo',
    path: '/stocktakes?state=closed',
    prepare: async (page) => {
      await openStocktake(page, 'Birds, spring');
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await page.getByRole('dialog').getByRole('textbox').waitFor();
    },
  },
  {
    name: 'stocktakes-cancel',
    path: '/stocktakes?state=running',
    prepare: async (page) => {
      await refuseCancel(page);
      await openStocktake(page, 'Fish wall, autumn');
      await page.getByRole('button', { name: 'Cancel the stock-take' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').fill('Fish wall, autumn');
      await dialog.getByRole('button', { name: 'Cancel the stock-take' }).click();
      await dialog.getByRole('alert').getByRole('link').first().waitFor();
    },
  },
  {
    name: 'stocktakes-cancelled',
    path: '/stocktakes?state=cancelled',
    prepare: (page) => openStocktake(page, 'Cats, by mistake'),
  },
  {
    name: 'stocktakes-closed',
    path: '/stocktakes?state=closed',
    prepare: (page) => openStocktake(page, 'Birds, spring'),
  },
  {
    name: 'stocktakes-count',
    path: '/stocktakes?state=running',
    prepare: async (page) => {
      await openStocktake(page, 'Fish wall, autumn');
      await page
        .getByRole('link', { name: /^Count again/ })
        .first()
        .click();
      await page.getByRole('group', { name: 'Number pad' }).waitFor();
    },
  },
  {
    name: 'labels',
    path: '/stock',
    prepare: async (page) => {
      for (const petId of [1, 2, 3, 26, 31, 32]) await select(page, petId);
      await page.getByRole('link', { name: 'Labels' }).click();
      await page.getByRole('img', { name: /Code/ }).first().waitFor();
    },
  },
  {
    name: 'labels-qr',
    path: '/labels?petId=31',
    prepare: async (page) => {
      await page.getByText('QR code').click();
      await page.getByRole('img', { name: /Code/ }).first().waitFor();
    },
  },
  {
    name: 'stock-selected',
    path: '/stock',
    prepare: async (page) => {
      for (const petId of [1, 2, 3]) await select(page, petId);
    },
  },
  {
    name: 'imports',
    path: '/imports',
    prepare: (page) => page.getByRole('heading', { name: 'Recent imports' }).waitFor(),
  },
  {
    name: 'imports-columns',
    path: '/imports',
    prepare: async (page) => {
      await chooseFile(page, 'delivery.csv', DELIVERY);
      await page.getByRole('table', { name: 'Columns of the file' }).waitFor();
    },
  },
  {
    name: 'imports-plan',
    path: '/imports',
    prepare: async (page) => {
      await chooseFile(page, 'delivery.csv', DELIVERY);
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByRole('button', { name: 'Plan again' }).waitFor();
    },
  },
  {
    name: 'imports-errors',
    path: '/imports',
    prepare: async (page) => {
      await chooseFile(page, 'count.csv', ['petId,quantity,status', '1,x,', '2,-5,', '3,1,gone']);
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByRole('alert').getByText('3 rows cannot be imported as they are').waitFor();
    },
  },
  { name: 'system', path: '/system', prepare: (page) => page.getByText('Served', { exact: true }).waitFor() },
  {
    name: 'system-ledger',
    path: '/system/ledger',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByText('Everything is correct').waitFor();
    },
  },
  {
    name: 'system-log',
    path: '/system/log',
    prepare: (page) => page.getByRole('row', { name: 'signed in' }).first().waitFor(),
  },
];
