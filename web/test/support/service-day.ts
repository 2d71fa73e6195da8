import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Shop } from './shop.ts';

/** Sets the clock of a page back by a day, which the times of the service must not show. */
export async function setClockBack(page: Page): Promise<void> {
  await page.addInitScript(`{
  const rightNow = Date.now;
  Date.now = () => rightNow() - 86_400_000;
  globalThis.Date = new Proxy(Date, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length > 0 ? values : [Date.now()], newTarget),
  });
}`);
}

/** The time by the clock that a page learns from the service. It is not always that of the test. */
export async function serviceTime(shop: Shop): Promise<Date> {
  const date = (await fetch(`${shop.url}/healthz`)).headers.get('Date');
  assert.ok(date);
  return new Date(date);
}

/** The day by the clock of the service, in UTC. */
export async function serviceDay(shop: Shop): Promise<string> {
  return (await serviceTime(shop)).toISOString().slice(0, 10);
}
