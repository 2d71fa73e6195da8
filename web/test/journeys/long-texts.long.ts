import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage } from '../support/browser.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { makeEndpoint } from '../support/webhook-receiver.ts';

const PHONE = { width: 360, height: 740 };
const NAMES = [
  'W'.repeat(200),
  `${'\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}'.repeat(15)} family`,
  '\u202Eeman a eb ton yam siht',
  'ببغاء رمادي أفريقي يتحدث كثيرا '.repeat(6).trim(),
  `${'Z\u0351\u0352\u0353\u0354\u0355'.repeat(30)}`,
  `a\u200B${'\u200D\u200C\u2060'.repeat(20)}b`,
  'Donaudampfschifffahrtsgesellschaftskapitänskajütenaquarium '.repeat(3).trim(),
];

/** A shop whose texts are as long and as strange as the service accepts. */
async function makeStrange(shop: Shop): Promise<readonly string[]> {
  for (const [i, name] of NAMES.entries()) {
    await shop.send('PATCH', `/pets/${i + 1}`, { name, category: NAMES[(i + 1) % NAMES.length] });
    const note = NAMES[(i + 2) % NAMES.length];
    const body = { delta: 4, reason: 'received', note, referenceId: `W${'w'.repeat(99)}` };
    await shop.send('POST', `/inventory/${i + 1}/adjustments`, body);
  }
  const { orderId } = (await shop.send('POST', '/store/orders', {
    lines: NAMES.map((_, i) => ({ petId: i + 1, quantity: 1 })),
    note: 'N'.repeat(300),
    referenceId: 'R'.repeat(100),
  })) as { orderId: number };
  const long = 'K'.repeat(100);
  const account = (await shop.send('POST', '/accounts', { name: long, plan: 'pro' })) as { id: string };
  const { id } = (await shop.send('POST', '/keys', { accountId: account.id, name: long })) as { id: string };
  await shop.send('POST', '/admin-keys', { name: 'M'.repeat(100), role: 'staff' });
  await makeEndpoint(shop, { url: `https://shop.example/${'u'.repeat(300)}`, description: 'D'.repeat(100) });
  return [
    '/',
    '/stock',
    '/stock?category=Dogs&alert=any&status=available&q=w',
    ...NAMES.map((_, i) => `/pets/${i + 1}`),
    '/orders',
    `/orders/${orderId}`,
    '/orders/new',
    '/activity',
    '/activity?petId=1&kind=adjust&reason=received',
    '/count',
    '/imports',
    '/access',
    `/access/accounts/${account.id}`,
    `/access/keys/${id}`,
    '/access/keys',
    '/access/management-keys',
    '/access/sessions',
    '/webhooks',
    '/system',
    '/system/ledger',
    '/system/log',
  ];
}

/** What is wider than the page or its own button. */
const WIDE = `(() => {
  const found = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) found.push('the page is ' + document.documentElement.scrollWidth + ' px wide');
  // It scrolls, so the page is not wider with it.
  const main = document.querySelector('main');
  if (main.scrollWidth > main.clientWidth) found.push('its content is ' + main.scrollWidth + ' px wide');
  for (const control of document.querySelectorAll('main button, main a, [role="dialog"] button')) {
    const { right, left, width: own } = control.getBoundingClientRect();
    const scrolls = control.closest('[class*="tabs"], [class*="grid"], [class*="Viewport"], [class*="viewport"]');
    if (own > 0 && !scrolls && (right > width + 1 || left < -1)) found.push('outside: ' + control.textContent.slice(0, 40));
  }
  return found;
})()`;

for (const locale of ['en-GB', 'de-DE']) {
  test(`no text is wider than a phone (${locale})`, async (t) => {
    const shop = await openShop(t);
    const paths = await makeStrange(shop);
    const page = await openPage(t, shop, { viewport: PHONE, locale });
    const wide: string[] = [];
    for (const path of paths) {
      await page.goto(path);
      await page.locator('main h1').first().waitFor();
      await settled(page);
      for (const found of new Set((await page.evaluate(WIDE)) as string[])) wide.push(`${path}: ${found}`);
    }
    assert.deepEqual(wide, []);
  });
}

/** Waits until the page has read its data: the live stream is the only request that goes on. */
async function settled(page: Page): Promise<void> {
  await page.locator('[class*="skeleton" i]').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready');
}
