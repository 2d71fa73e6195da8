import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { type Row, row } from '../../report.ts';
import { send } from '../../send.ts';
import type { Service, Shop } from '../../shop.ts';
import { Tab } from './tab.ts';

/** 20,000 movements are an hour of five or six per second, in about a minute. */
const BATCHES = 200;
const ROWS = 100;
const PAUSE_MS = 250;
/** The code is compiled and the lists have their full length after these. */
const WARM_UP = 20;
const MAX_GROWTH_MB = 3;
/** A busy machine shows what it received so much later. */
const SHOWN_MS = 300_000;
const PAGES = ['/stock', '/activity'] as const;

/** What an hour of changes by others leaves in a tab: its heap after garbage collections. */
export async function measureHour(
  browser: Browser,
  { service, shop }: { readonly service: Service; readonly shop: Shop },
): Promise<Row[]> {
  const key = await shop.makeStaffKey();
  const rows: Row[] = [];
  for (const path of PAGES) {
    await using tab = await Tab.open(browser, service, shop);
    await tab.load(path, `document.querySelector('${path === '/stock' ? '#row-1' : 'main ol li'}')`);
    const heaps: number[] = [];
    for (let batch = 0; batch <= BATCHES; batch += 1) {
      await changeMany(service, key, `${path} ${batch}`);
      if (batch === WARM_UP || batch === BATCHES / 2 || batch === BATCHES) {
        // What a slow machine has received and not shown yet is no growth.
        if (path === '/activity') {
          const newest = tab.page.getByText(`Ref. ${path} ${batch}`, { exact: true }).first();
          await newest.waitFor({ timeout: SHOWN_MS });
        }
        await tab.page.evaluate('until(() => true)');
        heaps.push(await tab.heapMb());
      }
      await sleep(PAUSE_MS);
    }
    const [first = 0, middle = 0, last = 0] = heaps;
    rows.push(
      row({
        work: `dashboard: heap of ${path} after 20,000 movements of others, growth`,
        values: [last - first],
        unit: 'MB',
        digits: 1,
        atMost: MAX_GROWTH_MB,
        detail: `${first.toFixed(1)} MB at the beginning, ${middle.toFixed(1)} MB in the middle, ${last.toFixed(1)} MB at the end, each after a garbage collection`,
      }),
    );
  }
  return rows;
}

async function changeMany(service: Service, key: string, referenceId: string): Promise<void> {
  const changes = Array.from({ length: ROWS }, (_, index) => ({
    petId: index + 1,
    delta: 1,
    reason: 'received',
    referenceId,
  }));
  await send(new URL(`http://127.0.0.1:${service.port}/admin/v1/inventory/batch`), {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ changes }),
  });
}
