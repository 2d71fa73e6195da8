import type { Browser } from 'playwright-core';
import { buildDashboard, isBuildDue } from '../../../../server/src/cli/dashboard/build-dashboard.ts';
import type { Bench } from '../../compare.ts';
import { type Row, row } from '../../report.ts';
import { makeShop, type Service, type Shop } from '../../shop.ts';
import { measureHour } from './hour.ts';
import { type Edit, launchBrowser, Tab } from './tab.ts';

const KB = 1_000;
const COUNT = '[role="search"] [role="status"]';
/** Each changes how many pets match; then Escape clears the search. */
const WORDS = ['4271', '98', '310', '75306', '1', '2204', '66', '590', '12345', '8'];
const EDITS = 20;

/** What a person waits for in the dashboard, and what an hour of changes by others leaves in the tab. */
export async function measureDashboard(bench: Bench): Promise<Row[]> {
  const failure = isBuildDue() ? await buildDashboard() : undefined;
  if (failure !== undefined) throw new Error(failure);
  const browser = await launchBrowser();
  try {
    return [...(await smallShop(bench, browser)), ...(await largeShop(bench, browser))];
  } finally {
    await browser.close();
  }
}

async function smallShop(bench: Bench, browser: Browser): Promise<Row[]> {
  const shop = await makeShop(bench, 1_000);
  await using service = await shop.start();
  const loads = await loadStock(browser, { service, shop }, bench.rounds);
  return [
    row({
      work: 'dashboard: JavaScript of the first load of the stock page, compressed',
      values: loads.map(({ scriptBytes }) => scriptBytes / KB),
      unit: 'kB',
      digits: 0,
      atMost: 250,
      detail: 'bytes of all scripts as sent, with their headers',
    }),
    loadRow('1,000', loads, 1),
    ...(await editRows(browser, { service, shop })),
    ...(await measureHour(browser, { service, shop })),
  ];
}

async function largeShop(bench: Bench, browser: Browser): Promise<Row[]> {
  const shop = await makeShop(bench, 100_000);
  await using service = await shop.start();
  const loads = await loadStock(browser, { service, shop }, bench.rounds);
  return [loadRow('100,000', loads, 2), await searchRow(browser, { service, shop })];
}

interface Running {
  readonly service: Service;
  readonly shop: Shop;
}

interface Load {
  readonly seconds: number;
  readonly scriptBytes: number;
}

/** Each in a context of its own, with an empty cache. */
async function loadStock(browser: Browser, { service, shop }: Running, rounds: number): Promise<Load[]> {
  const loads: Load[] = [];
  const all = shop.petCount.toLocaleString('en-US');
  const isWhole = `document.querySelector('#row-1') && textOf('${COUNT}') === '${all} of ${all}'`;
  for (let round = 0; round < rounds; round += 1) {
    await using tab = await Tab.open(browser, service, shop);
    loads.push({ seconds: (await tab.load('/stock', isWhole)) / 1_000, scriptBytes: tab.scriptBytes });
  }
  return loads;
}

function loadRow(pets: string, loads: readonly Load[], atMost: number): Row {
  return row({
    work: `dashboard: stock page with ${pets} pets, all of them loaded and painted`,
    values: loads.map(({ seconds }) => seconds),
    unit: 's',
    digits: 2,
    atMost,
    detail: 'from the navigation, with an empty cache; every pet can be searched, sorted and edited then',
  });
}

async function searchRow(browser: Browser, { service, shop }: Running): Promise<Row> {
  await using tab = await Tab.open(browser, service, shop);
  await tab.load('/stock', `textOf('${COUNT}') === '100,000 of 100,000'`);
  await tab.page.keyboard.press('/');
  const times: number[] = [];
  for (const word of [...WORDS, ...WORDS]) {
    for (const key of [...word, 'Escape']) times.push(await tab.pressAndPaint(key, COUNT));
  }
  return row({
    work: 'dashboard: key stroke in the search of 100,000 pets until the result is painted, p95',
    values: [percentile(times, 0.95)],
    unit: 'ms',
    digits: 0,
    atMost: 50,
    detail: `${times.length} key strokes; p50 ${percentile(times, 0.5).toFixed(0)} ms`,
  });
}

async function editRows(browser: Browser, { service, shop }: Running): Promise<Row[]> {
  await using tab = await Tab.open(browser, service, shop);
  await tab.load('/stock', `document.querySelector('#row-9')`);
  const edits: Edit[] = [];
  for (let edit = 0; edit < EDITS; edit += 1) {
    const petId = 1 + (edit % 9);
    const cell = `#row-${petId} [data-cell="quantity"]`;
    await tab.page.locator(cell).click();
    await tab.page.keyboard.type(String(1_000 + edit));
    edits.push(await tab.pressAndConfirm('Enter', cell, `/inventory/${petId}`));
  }
  const figure = { unit: 'ms', digits: 1, detail: `${EDITS} edits in place, each of one pet` };
  return [
    row({
      ...figure,
      work: 'dashboard: edit of a quantity until the table has it, p95',
      values: [
        percentile(
          edits.map(({ shown }) => shown),
          0.95,
        ),
      ],
      atMost: 16,
    }),
    row({
      ...figure,
      work: 'dashboard: edit of a quantity until the service has confirmed it, p95',
      values: [
        percentile(
          edits.map(({ confirmed }) => confirmed),
          0.95,
        ),
      ],
      atMost: 100,
    }),
  ];
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
