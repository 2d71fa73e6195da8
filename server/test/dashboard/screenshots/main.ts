import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeBrowser, openPage } from '../support/browser.ts';
import { LISTED_PAGES } from '../support/page-list.ts';
import { openShop } from '../support/shop.ts';

const FOLDER = fileURLToPath(new URL('../../../../screenshots/', import.meta.url));
const SIZES = [
  { width: 1_280, height: 800 },
  { width: 360, height: 740 },
];

/** Takes a picture of each page, light and dark, on a desktop and on a phone; names on the command line select pages. */
const selected = process.argv.slice(2);
const closing: (() => unknown)[] = [];
const run = { after: (close: unknown) => void closing.push(close as () => unknown) };
try {
  mkdirSync(FOLDER, { recursive: true });
  const shop = await openShop(run);
  for (const { name, path, prepare } of LISTED_PAGES) {
    if (selected.length > 0 && !selected.some((part) => name.startsWith(part))) continue;
    for (const viewport of SIZES) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await openPage(run, shop, { path, viewport, colorScheme });
        await prepare(page);
        // Pictures without the movement of a moment.
        await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
        await page.screenshot({ path: join(FOLDER, `${name}-${viewport.width}-${colorScheme}.png`) });
        await page.close();
      }
    }
    console.log(name);
  }
} finally {
  for (const close of closing.toReversed()) await close();
  await closeBrowser();
}
