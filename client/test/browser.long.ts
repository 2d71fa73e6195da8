import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import chromiumPackage from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { startService } from '../../server/test/blackbox/service.ts';
import { underLock } from '../../web/test/support/under-lock.ts';
import { bundleClient } from '../scripts/bundle.ts';
import { expectedTour, TOUR } from './support/tour-runner.ts';

const LARGE = 9007199254740993n;
const PAGE = '<!doctype html><title>Tour</title>';

test('the client runs in a page of another origin in Chromium', async (t) => {
  const files: Readonly<Record<string, string>> = {
    '/client.js': await bundleClient(),
    '/tour.js': readFileSync(TOUR, 'utf8'),
  };
  const pages = createServer((request, response) => {
    const script = files[request.url ?? ''];
    response.writeHead(200, { 'Content-Type': script ? 'text/javascript' : 'text/html' }).end(script ?? PAGE);
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  t.after(() => pages.close().closeAllConnections());
  const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  const { port, key } = await startService(t, {
    env: { PETSTORE_CORS_ORIGINS: origin },
    pets: [
      { petId: 7n, quantity: 1 },
      { petId: LARGE, quantity: 5 },
    ],
  });
  const executablePath = await underLock('chromium', () => chromiumPackage.executablePath());
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  t.after(() => browser.close());
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(origin);
  const given = JSON.stringify([`http://127.0.0.1:${port}`, key]);
  const result = await page.evaluate(
    `Promise.all([import('/tour.js'), import('/client.js')]).then(([{ tour }, client]) => tour(client, ...${given}))`,
  );
  assert.deepEqual(result, expectedTour(LARGE));
  assert.deepEqual(problems, []);
});
