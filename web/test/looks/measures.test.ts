import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { until } from '../../../server/test/support/until.ts';
import { accessibilityFaults, openPage, twoFrames } from '../support/browser.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { makeEndpoint } from '../support/webhook-receiver.ts';
import { type Measures, measure } from './page-measures.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

const PHONE = 360;
/** At last a large window becomes small again. */
const WIDTHS = [PHONE, 768, 1_280, 1_440, 1_920, 2_560, PHONE] as const;
const HEADER_PX = 80;
const PARENT_PX = 20;
const CONTROL_PX = 36;
const TAB_PX = 44;
const TABLE_HEAD_PX = 36;
const ROW_PX = 44;
/** Only a failing test takes so long. */
const SETTLE_MS = 10_000;
/** From this width on a table gets no more columns, and below it the navigation has only pictures. */
const DESKTOP_PX = 1_280;
/** Whose controls are for a finger at each width. */
const FOR_FINGERS = new Set(['/count']);

interface MeasuredPage {
  readonly path: string;
  /** The page has its data when this is on it. */
  readonly shows: (page: Page) => ReturnType<Page['locator']>;
}

/** A shop with a record for each page. */
async function fill(shop: Shop): Promise<readonly MeasuredPage[]> {
  const category = 'Süßwasserfische und Wasserpflanzen für Einsteiger und Fortgeschrittene';
  await shop.send('PATCH', '/pets/3', { category });
  await shop.send('PATCH', '/pets/1', { sku: 'DOG-0001', barcodes: ['4006381333931'] });
  const { id: stocktake } = (await shop.send('POST', '/stocktakes', { name: 'Autumn' })) as { id: string };
  await shop.send('POST', `/stocktakes/${stocktake}/counts`, { petId: 2, counted: 3 });
  const { id: account } = (await shop.send('POST', '/accounts', { name: 'Web shop', plan: 'pro' })) as {
    id: string;
  };
  await shop.send('POST', '/keys', { accountId: account, name: 'Till 1' });
  const endpoint = await makeEndpoint(shop, {
    url: 'https://shop.example/hooks',
    description: 'ERP',
  });
  // The texts of one that retries change between two widths.
  await shop.send('POST', `/webhook-endpoints/${endpoint}/pause`);
  const table = (page: Page) => page.locator('main tbody tr');
  const heading = (name: string) => (page: Page) => page.getByRole('main').getByRole('heading', { name });
  return [
    { path: '/stock', shows: (page) => page.locator('#row-1') },
    { path: '/', shows: heading('Recent changes') },
    { path: '/pets/1', shows: (page) => page.getByRole('list', { name: 'Changes' }) },
    { path: '/count', shows: (page) => page.getByText('Scan an id, or search a pet') },
    { path: '/stocktakes', shows: table },
    { path: `/stocktakes/${stocktake}`, shows: (page) => page.getByRole('progressbar') },
    { path: '/orders', shows: table },
    { path: '/activity', shows: (page) => page.getByRole('list', { name: 'Changes of stock' }) },
    { path: '/reorders', shows: table },
    { path: '/reports', shows: table },
    { path: '/reports/movements', shows: table },
    { path: '/reports/variance', shows: table },
    { path: '/imports', shows: heading('Recent imports') },
    { path: '/access', shows: table },
    { path: `/access/accounts/${account}`, shows: table },
    { path: '/access/keys', shows: table },
    { path: '/access/management-keys', shows: table },
    { path: '/access/bans', shows: heading('No key is banned') },
    { path: '/access/sessions', shows: table },
    { path: '/webhooks', shows: table },
    { path: `/webhooks/${endpoint}`, shows: heading('Deliveries') },
    { path: '/system', shows: (page) => page.getByText('Served', { exact: true }) },
    { path: '/system/ledger', shows: (page) => page.getByRole('button', { name: 'Verify' }) },
    { path: '/system/log', shows: table },
    { path: '/labels?petId=1', shows: (page) => page.getByRole('img', { name: /Code/ }) },
  ];
}

test('all pages have the same measures, and none gets worse as the window grows', async (t) => {
  const shop = await openShop(t);
  const pages = await fill(shop);
  const page = await openPage(t, shop, { viewport: { width: PHONE, height: 900 } });
  const faults: string[] = [];
  for (const { path, shows } of pages) {
    await page.setViewportSize({ width: PHONE, height: 900 });
    // A load of the whole application would take most of a second.
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
    await shows(page).first().waitFor();
    let smaller: { readonly width: number; readonly measures: Measures } | undefined;
    const look = async (width: number, before?: Measures) => {
      await page.setViewportSize({ width, height: 900 });
      return settled(page, (now) => [
        ...faultsOf(now, width, FOR_FINGERS.has(path)),
        ...(before && width >= DESKTOP_PX ? narrowed(before, now, width > DESKTOP_PX) : []),
      ]);
    };
    for (const width of WIDTHS) {
      let [measures, found] = await look(width, smaller?.measures);
      if (found.length > 0 && smaller) {
        // A text such as “1 minute ago” may have changed in between.
        const [before] = await look(smaller.width);
        [measures, found] = await look(width, before);
      }
      faults.push(...found.map((fault) => `${path} at ${width} px: ${fault}`));
      smaller = { width, measures };
    }
  }
  assert.deepEqual(faults, []);
});

/**
 * The measures that the page keeps for two frames, without faults or with those that stay: a busy page takes a while to
 * draw itself for a new width.
 */
async function settled(
  page: Page,
  faultsIn: (measures: Measures) => readonly string[],
): Promise<readonly [Measures, readonly string[]]> {
  const deadlineMs = performance.now() + SETTLE_MS;
  let before: Measures | undefined;
  for (;;) {
    const measures = await measure(page);
    const faults = faultsIn(measures);
    const isSettled = faults.length === 0 && isDeepStrictEqual(measures, before);
    if (isSettled || performance.now() > deadlineMs) return [measures, faults];
    before = measures;
    await twoFrames(page);
  }
}

function faultsOf(measures: Measures, width: number, isForFingers: boolean): readonly string[] {
  const { lefts, rights, headerHeight, hasParent, controls, labelSteps, tabs, tableHeads, rows } = measures;
  const isPhone = width === PHONE;
  const faults = [...measures.faults];
  const different = Object.entries(lefts).filter(([, left]) => Math.abs(left - (lefts['title'] ?? 0)) > 1);
  for (const [name, left] of different)
    faults.push(`${name} begins at ${left}, the title at ${lefts['title']}`);
  if (rights && Math.abs(rights[0] - rights[1]) > 1)
    faults.push(`the header ends at ${rights[0]}, the body at ${rights[1]}`);
  const check = (name: string, found: readonly number[], least: number, most = least) => {
    const wrong = found.filter((height) => height < least || height > most);
    if (wrong.length > 0) faults.push(`${name}: ${[...new Set(wrong)].join(', ')} instead of ${least} px`);
  };
  const header = HEADER_PX + (hasParent ? PARENT_PX : 0);
  if (!isPhone) check('header', [headerHeight], header, header + 4);
  const control = isPhone || isForFingers ? TAB_PX : CONTROL_PX;
  check('controls', controls, isForFingers ? CONTROL_PX : control, isPhone ? TAB_PX + 10 : control);
  check('tabs', tabs, TAB_PX);
  if (labelSteps.length > 0) faults.push(`labels of a row differ by ${labelSteps.join(', ')} px`);
  if (!isPhone) {
    check('heads of tables', tableHeads, TABLE_HEAD_PX, TABLE_HEAD_PX + 1);
    check('rows', rows, ROW_PX, ROW_PX + 1);
  }
  return faults;
}

/** Columns whose text has less room in a larger window, or that have it themselves, with the same columns. */
function narrowed(smaller: Measures, larger: Measures, hasSameColumns: boolean): readonly string[] {
  return Object.entries(larger.columns).flatMap(([name, { width, tight }]) => {
    const before = smaller.columns[name];
    if (!before) return [];
    if (tight > before.tight) return [`“${name}”: ${tight} cells are cut or wrap, ${before.tight} before`];
    // Columns that share the rest may differ by a few pixels of a thousand.
    return hasSameColumns && width < before.width * 0.99 - 2
      ? [`“${name}”: ${width} px, ${before.width} before`]
      : [];
  });
}

test('heads end where their numbers end, tabs begin with the title, and buttons have their whole words', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/stock', locale: 'de-DE' });
  await page.locator('#row-1').waitFor();
  const ends =
    (await page.evaluate(`['[role="columnheader"]:has(~ :last-child):nth-last-child(2)', '#row-1 [data-cell="quantity"]'].map((selector) => {
    const text = document.createRange();
    text.selectNodeContents(document.querySelector(selector));
    return Math.round(text.getBoundingClientRect().right);
  })`)) as readonly number[];
  assert.equal(ends[0], ends[1], 'the head of the quantity');
  await page.goto('/orders');
  await page.getByRole('row', { name: 'phone-17' }).waitFor();
  for (const width of [360, 640, 768, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    const lefts = await page.evaluate(`['h1', 'main nav a'].map((selector) => {
      const text = document.createRange();
      text.selectNodeContents(document.querySelector(selector));
      return Math.round(text.getBoundingClientRect().left);
    })`);
    assert.deepEqual(lefts, [(lefts as number[])[0], (lefts as number[])[0]], `${width} px`);
    const label = page.getByRole('button', { name: 'Ansichten' }).locator('.mantine-Button-label');
    assert.equal(await label.evaluate((text) => text.scrollWidth - text.clientWidth), 0, `${width} px`);
  }

  const lines = [
    { petId: 1, quantity: 1 },
    { petId: 31, quantity: 2 },
  ];
  await shop.send('PATCH', '/pets/1', { name: 'A name that is so long that it has two lines on a phone' });
  const { orderId } = (await shop.send('POST', '/store/orders', { lines })) as { orderId: number };
  await page.goto(`/orders/${orderId}`);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.getByRole('dialog').getByText('Neon tetra').first().waitFor();
  const columns =
    (await page.evaluate(`[...document.querySelectorAll('[role="dialog"] tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => Math.round(cell.getBoundingClientRect().left)))`)) as readonly unknown[];
  assert.equal(columns.length, 2);
  assert.deepEqual(columns[0], columns[1], 'the numbers of all lines are below each other');
});

/** The texts with digits that leave the box of their element, or of the row that they are in. */
const CUT_NUMBERS = `[...document.querySelectorAll('main :is(dd *, dd, [class*="_change_"], [class*="_quantity_"] button)')]
  .filter((part) => /\\d/.test(part.textContent) && part.scrollWidth > part.clientWidth && part.clientWidth > 0)
  .filter((part) => getComputedStyle(part).textOverflow !== 'ellipsis')
  .map((part) => part.textContent)`;

test('the largest quantity is whole on the page of its pet, and stays in its cell elsewhere', async (t) => {
  const shop = await openShop(t);
  await shop.send('PATCH', '/inventory/1', { quantity: 9_007_199_254_740_991 });
  await shop.send('POST', '/store/orders', { lines: [{ petId: 1, quantity: 9_007_199_254_740_990 }] });
  const page = await openPage(t, shop, { path: '/pets/1' });
  const shown = { '/pets/1': 'dd', '/activity': 'li', '/stock': '#row-1' };
  for (const [path, part] of Object.entries(shown)) {
    await page.goto(path);
    await page.locator('main').locator(part).filter({ hasText: '9,007,199,254,740,99' }).first().waitFor();
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await page.evaluate(CUT_NUMBERS), [], `${path} at ${width} px`);
    }
  }
});

/** The numbers of tables that leave the window, or the cell that they are in. */
const OUTSIDE = `[...document.querySelectorAll(':is(main, [role="dialog"]) td')]
  .filter((cell) => /\\d/.test(cell.textContent) && cell.clientWidth > 0)
  .filter((cell) => cell.scrollWidth > cell.clientWidth || cell.getBoundingClientRect().right > innerWidth)
  .map((cell) => cell.textContent)`;

test('the largest quantity covers no other number of a report or an order on a phone', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  await shop.send('PATCH', '/inventory/1', { quantity: 9_007_199_254_740_991 });
  const order = { lines: [{ petId: 1, quantity: 9_007_199_254_740_990 }] };
  const { orderId } = (await shop.send('POST', '/store/orders', order)) as { orderId: number };
  const page = await openPage(t, shop, { path: '/reports', viewport: { width: 390, height: 800 } });
  for (const path of ['/reports', '/reports/movements', `/orders/${orderId}`]) {
    await page.goto(path);
    await page.getByRole('cell', { name: '9,007,199,254,74' }).first().waitFor();
    for (const width of [390, 360]) {
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await page.evaluate(OUTSIDE), [], `${path} at ${width} px`);
    }
  }
});

test('a row of the stock list holds its texts at 320 px, as on a desktop that is zoomed to 400 %', async (t) => {
  const shop = await openShop(t);
  await shop.send('PATCH', '/pets/1', { sku: 'DOG-0001' });
  const page = await openPage(t, shop, { path: '/stock', viewport: { width: 320, height: 800 } });
  await page.locator('#row-1').getByText('DOG-0001').first().waitFor();
  const outside = await page.evaluate(`(() => {
    const row = document.querySelector('#row-1').getBoundingClientRect();
    return [...document.querySelectorAll('#row-1 *')]
      .map((part) => [part.textContent, part.getBoundingClientRect()])
      .filter(([text, { height }]) => text !== '' && height > 0)
      .filter(([, { top, bottom }]) => top < row.top || bottom > row.bottom)
      .map(([text]) => text);
  })()`);
  assert.deepEqual(outside, []);
});

/** What a person with forced colours sees of what is chosen: a line, as backgrounds are left out. */
const FORCED = `(() => {
  const style = (selector) => getComputedStyle(document.querySelector(selector));
  const [background, text] = ['backgroundColor', 'color'].map((name) => style('body')[name]);
  const lines = (selector) =>
    [...document.querySelectorAll(selector)].map((part) => getComputedStyle(part).outlineStyle);
  const tabs = [...document.querySelectorAll('main nav a')].map(
    (tab) => getComputedStyle(tab).borderBottomColor !== background,
  );
  return {
    chosen: lines('.mantine-SegmentedControl-label[data-active]'),
    others: lines('.mantine-SegmentedControl-label:not([data-active])'),
    here: lines('nav a[aria-current="page"]'),
    tabs,
    isChartReadable: style('main svg[role="img"] text, [role="img"] svg text').fill === text,
  };
})()`;

test('forced colours leave what is chosen, the present page and charts visible', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/access' });
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  await page.getByRole('region', { name: 'Usage of all accounts' }).locator('svg text').first().waitFor();
  assert.deepEqual(await page.evaluate(FORCED), {
    chosen: ['solid'],
    others: ['none', 'none'],
    here: ['solid', 'solid'],
    tabs: [true, false, false, false, false],
    isChartReadable: true,
  });
});

/** The contrast of the line around the search field with the page, as WCAG 2.2 computes it. */
const LINE_CONTRAST = `(() => {
  const luminance = (colour) => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const line = luminance(getComputedStyle(document.querySelector('main [type="search"]')).borderTopColor);
  const page = luminance(getComputedStyle(document.body).backgroundColor);
  return (Math.max(line, page) + 0.05) / (Math.min(line, page) + 0.05);
})()`;

test('the lines of fields are as visible as text for a person who wants more contrast', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/stock' });
  await page.locator('#row-1').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ contrast: 'more', colorScheme });
    await until(async () => Number(await page.evaluate(LINE_CONTRAST)) >= 4.5, `${colorScheme}: 4.5 to 1`);
    assert.deepEqual(await accessibilityFaults(page, 'colours'), [], colorScheme);
  }
});

test('a finger meets each entry of a menu and of a list of choices on a phone', async (t) => {
  const page = await openPage(t, await openShop(t), { viewport: { width: PHONE, height: 740 } });
  const heights = (role: string) =>
    page.evaluate<number[]>(
      `[...document.querySelectorAll('[role="${role}"]')].map((entry) => entry.getBoundingClientRect().height)`,
    );
  await page.locator('#row-1').waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Dogs', exact: true }).waitFor();
  // A menu grows while it opens.
  await until(async () => (await heights('menuitem')).every((px) => px >= TAB_PX), 'each entry of the menu');
  await page.keyboard.press('Escape');
  await page.locator('#row-1 input[type="checkbox"]').click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Codes', { exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Codes' }).click();
  await page.getByRole('option').first().waitFor();
  await until(async () => (await heights('option')).every((px) => px >= TAB_PX), 'each choice');
});

test('axe sees the end of a transition that is paused', async (t) => {
  const page = await openPage(t, await openShop(t), { role: null, path: '/' });
  await page.getByLabel('Management key').waitFor();
  const contrast = async () =>
    (await accessibilityFaults(page, 'colours')).filter((fault) => fault.includes('id="fading"'));
  // From a contrast that is enough to one that is not.
  await page.evaluate(`(async () => {
    const text = document.createElement('p');
    text.id = 'fading';
    text.textContent = 'Hardly readable at the end';
    text.style.cssText = 'color: #000; background: #fff; transition: color 60s linear;';
    document.querySelector('main, body').append(text);
    text.getBoundingClientRect();
    text.style.color = '#eee';
    for (const one of text.getAnimations()) one.pause();
  })()`);
  assert.equal((await contrast()).length, 1);
});
