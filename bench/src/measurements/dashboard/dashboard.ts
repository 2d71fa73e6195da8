import type { Browser } from 'playwright-core';
import { buildDashboard, isBuildDue } from '../../../../server/src/cli/dashboard/build-dashboard.ts';
import type { Bench } from '../../compare.ts';
import { type Row, row } from '../../report.ts';
import { makeShop, type Service, type Shop } from '../../shop.ts';
import { measureHour } from './hour.ts';
import { type Edit, launchBrowser, pageCpuSeconds, Tab } from './tab.ts';

const KB = 1_000;
const COUNT = '[role="search"] [role="status"]';
const PALETTE = '[role="dialog"] .mantine-Spotlight-actionsList';
/** Each changes how many pets match; then Escape clears the search. */
const WORDS = ['4271', '98', '310', '75306', '1', '2204', '66', '590', '12345', '8'];
const EDITS = 20;
const BULK_MS = 300_000;

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
      atMost: 220,
      detail: 'bytes of all scripts as sent, with their headers',
    }),
    ...loadRows('1,000', loads, 0.8),
    ...(await slowRows(browser, { service, shop })),
    ...(await editRows(browser, { service, shop })),
    ...(await measureHour(browser, { service, shop })),
  ];
}

async function largeShop(bench: Bench, browser: Browser): Promise<Row[]> {
  const shop = await makeShop(bench, 100_000);
  await using service = await shop.start();
  const loads = await loadStock(browser, { service, shop }, bench.rounds);
  return [
    ...loadRows('100,000', loads, 1.5),
    await searchRow(browser, { service, shop }),
    await paletteRow(browser, { service, shop }),
    await bulkRow(browser, { service, shop }),
  ];
}

interface Running {
  readonly service: Service;
  readonly shop: Shop;
}

interface Load {
  readonly seconds: number;
  /** Of the page. */
  readonly cpuSeconds: number;
  readonly scriptBytes: number;
}

/** Each in a context of its own, with an empty cache. */
async function loadStock(browser: Browser, { service, shop }: Running, rounds: number): Promise<Load[]> {
  const loads: Load[] = [];
  const all = shop.petCount.toLocaleString('en-US');
  const isWhole = `document.querySelector('#row-1') && textOf('${COUNT}') === '${all} of ${all}'`;
  for (let round = 0; round < rounds; round += 1) {
    await using tab = await Tab.open(browser, service, shop);
    const before = await pageCpuSeconds(browser);
    const seconds = (await tab.load('/stock', isWhole)) / 1_000;
    const cpuSeconds = (await pageCpuSeconds(browser)) - before;
    loads.push({ seconds, cpuSeconds, scriptBytes: tab.scriptBytes });
  }
  return loads;
}

function loadRows(pets: string, loads: readonly Load[], atMost: number): Row[] {
  const work = `dashboard: stock page with ${pets} pets, all of them loaded and painted`;
  return [
    row({
      work,
      values: loads.map(({ seconds }) => seconds),
      unit: 's',
      digits: 2,
      atMost,
      detail: 'from the navigation, with an empty cache; every pet can be searched, sorted and edited then',
    }),
    row({
      work: `${work}: CPU time`,
      values: loads.map(({ cpuSeconds }) => cpuSeconds),
      unit: 's',
      digits: 2,
      detail: 'of the process of the page, which other work of the machine changes less than the time above',
    }),
  ];
}

/** The first visit reads the code; later ones have what the service worker keeps. */
async function slowRows(browser: Browser, { service, shop }: Running): Promise<Row[]> {
  const ready = `document.querySelector('#row-1')`;
  await using first = await Tab.open(browser, service, shop, 'block');
  await first.slowDown();
  const shown = await first.load('/stock', `document.querySelector('[data-first-row]') || ${ready}`);
  const whole = await first.page.evaluate<number>(`until(() => ${ready})`);
  await using later = await Tab.open(browser, service, shop);
  await later.slowDown();
  await later.load('/stock', ready);
  await later.page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  const figure = { unit: 's', digits: 1, atMost: 3 };
  return [
    row({
      ...figure,
      work: 'dashboard: first rows over 400 ms and 50 kB/s, with an empty cache',
      values: [shown / 1_000],
      detail: `${(whole / 1_000).toFixed(1)} s until they can be edited`,
    }),
    row({
      ...figure,
      work: 'dashboard: first rows over 400 ms and 50 kB/s, as an installed app',
      values: [(await later.load('/stock', ready)) / 1_000],
      detail: 'the service worker has the code and the last list',
    }),
  ];
}

/** One change of all pets, in batches. A person scrolls and stops meanwhile. */
async function bulkRow(browser: Browser, { service, shop }: Running): Promise<Row> {
  await using tab = await Tab.open(browser, service, shop);
  const { page } = tab;
  await tab.load('/stock', `textOf('${COUNT}') === '100,000 of 100,000'`);
  const longest = await tab.longestFrame(async () => {
    await page.getByRole('checkbox', { name: 'Select all that match' }).click();
    await page.keyboard.press('e');
    await page.getByPlaceholder('+3, -2').fill('+1');
    const apply = page.getByRole('button', { name: 'Apply to 100,000 pets' });
    await apply.and(page.locator(':enabled')).click({ timeout: BULK_MS });
    await page.getByText('Changed 100,000 pets').waitFor({ timeout: BULK_MS });
  });
  return row({
    work: 'dashboard: longest time without a frame while 100,000 pets are changed',
    values: [longest],
    unit: 'ms',
    digits: 0,
    atMost: 100,
    detail: 'from the selection to the last batch, with the live stream of all changes',
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

/** The palette reads its pets from the service. Until they are there, it shows those of the words before that fit. */
async function paletteRow(browser: Browser, { service, shop }: Running): Promise<Row> {
  await using tab = await Tab.open(browser, service, shop);
  await tab.load('/stock', `textOf('${COUNT}') === '100,000 of 100,000'`);
  const times: number[] = [];
  for (const word of [...WORDS, ...WORDS]) {
    await tab.page.keyboard.press('Control+k');
    await tab.page.locator(PALETTE).waitFor();
    for (const key of word) times.push(await tab.pressAndPaint(key, PALETTE));
    await tab.page.keyboard.press('Escape');
    await tab.page.locator(PALETTE).waitFor({ state: 'detached' });
  }
  return row({
    work: 'dashboard: key stroke in the palette with 100,000 pets until its first results are painted, p95',
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
