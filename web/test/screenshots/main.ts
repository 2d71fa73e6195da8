import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { closeBrowser, openPage } from '../support/browser.ts';
import { LISTED_PAGES, type ListedPage } from '../support/page-list.ts';
import { openBusyShop } from './shop/open-busy-shop.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDER = join(ROOT, 'screenshots');
const SCHEMES = ['light', 'dark'] as const;
/** The pictures of the README, as the others are named. */
const README = new Set(['overview-1280-light', 'stock-edit-1280-light', 'pet-1280-dark', 'count-360-light']);
/** Transitions begin with the next frame. */
const AT_REST = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  .then(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))`;

/**
 * Takes a picture of each page, light and dark, on a desktop and on a phone, of a shop after four weeks; names on the
 * command line select pages, and `--width`, given once or more, and `--height` other sizes. With `--readme`, it makes those of the README.
 */
const { values, positionals: selected } = parseArgs({
  allowPositionals: true,
  options: {
    locale: { type: 'string', default: 'en-GB' },
    height: { type: 'string' },
    readme: { type: 'boolean', default: false },
    width: { type: 'string', multiple: true, default: ['1280', '360'] },
  },
});
const sizes = values.width
  .map(Number)
  .map((width) => ({ width, height: Number(values.height ?? (width < 600 ? 740 : 800)) }));
if (!sizes.every(({ width }) => width >= 320 && width <= 2_560))
  throw new RangeError('--width is 320 to 2560 pixels.');
const unknown = selected.find((part) => !LISTED_PAGES.some(({ name }) => name.startsWith(part)));
if (unknown !== undefined)
  throw new Error(
    `No page is called "${unknown}"; give one of ${LISTED_PAGES.map(({ name }) => name).join(', ')}.`,
  );
const closing: (() => unknown)[] = [];
const run = { after: (close: unknown) => void closing.push(close as () => unknown) };
try {
  const { shop, timezoneId } = await openBusyShop(run);
  const first = await openPage(run, shop, { timezoneId, path: '/system' });
  const storageState = await first.context().storageState();
  await first.close();
  for (const listed of LISTED_PAGES.filter(isSelected)) {
    for (const viewport of sizes) {
      const pictures = picturesOf(listed, viewport.width);
      if (pictures.length === 0) continue;
      const options = { locale: values.locale, path: listed.path, viewport, timezoneId, storageState };
      const page = await openPage(run, shop, options);
      page.setDefaultTimeout(8_000);
      await prepare(page, listed);
      for (const picture of pictures) await take(page, picture);
      await page.context().close();
    }
  }
} finally {
  for (const close of closing.toReversed()) await close();
  await closeBrowser();
}

function isSelected({ name }: ListedPage): boolean {
  return selected.length === 0 || selected.some((part) => name.startsWith(part));
}

interface Picture {
  readonly file: string;
  readonly colorScheme: (typeof SCHEMES)[number];
}

function picturesOf({ name }: ListedPage, width: number): readonly Picture[] {
  const pictures = SCHEMES.map((colorScheme) => ({ colorScheme, name: `${name}-${width}-${colorScheme}` }));
  const folder = values.readme ? join(ROOT, 'docs/images') : FOLDER;
  return pictures
    .filter((picture) => !values.readme || README.has(picture.name))
    .map((picture) => ({ ...picture, file: join(folder, `${picture.name}.png`) }));
}

/** A page that does not come into its state is a picture of its own; the others follow. */
async function prepare(page: Page, listed: ListedPage): Promise<void> {
  try {
    await listed.prepare(page);
  } catch (error) {
    console.error(`${listed.name} (${page.viewportSize()?.width} px) is not as expected:`, error);
    process.exitCode = 1;
  }
}

async function take(page: Page, { file, colorScheme }: Picture): Promise<void> {
  mkdirSync(join(file, '..'), { recursive: true });
  await page.emulateMedia({ colorScheme });
  await page.mouse.move(0, 0);
  await page.evaluate(AT_REST);
  await page.screenshot({ path: file });
  console.log(file);
}
