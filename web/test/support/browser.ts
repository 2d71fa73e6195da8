import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Role } from '@petstore-inventory/shared/words';
import chromiumPackage from '@sparticuz/chromium';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { atProcessEnd } from '../../../server/test/support/runner/at-process-end.ts';
import type { Shop } from './shop.ts';
import { underLock } from './under-lock.ts';

export interface PageOptions {
  /** `null`: nobody signs in. */
  readonly role?: Role | null;
  readonly path?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
  readonly timezoneId?: string;
  /** Called before the page opens. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** Messages of the console and errors of the page that the test causes, such as of files that it withholds. */
  readonly expected?: RegExp;
  /** Of a page that has signed in already, instead of a role. */
  readonly storageState?: StorageState;
  /** Whether the page has its service worker, whose requests `page.route` does not see. */
  readonly hasServiceWorker?: boolean;
  /** A file of pictures (Y4M) that the camera sees. The page has a browser of its own. */
  readonly camera?: string;
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** What moves is painted many times, and each dialog would take a while to open. */
const STILL = { reducedMotion: 'reduce' } as const;
/** On a busy machine an action takes many times as long. It is not a promise. */
const ACTION_TIMEOUT_MS = 90_000;
const DESKTOP = { width: 1_280, height: 800 };
/** Chromium reports each refused request; the pages handle those of the management API. */
const REFUSED = /^Failed to load resource/;
const NO_WORKER = 'Service Worker registration blocked by Playwright';

/** The short form: each page that axe looks at reads it. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

let browser: Promise<Browser> | undefined;

atProcessEnd(closeBrowser);

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/** One browser for all tests of a process. */
function launched(): Promise<Browser> {
  browser ??= launch();
  return browser;
}

async function launch(args: readonly string[] = []): Promise<Browser> {
  // The first call unpacks it.
  const executablePath = await underLock('chromium', () => chromiumPackage.executablePath());
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });
}

/**
 * Opens a page of the dashboard, signed in. The test fails if the page logs an error, breaks its Content-Security-Policy,
 * or sends a request to another host.
 */
export async function openPage(
  t: Pick<TestContext, 'after'>,
  shop: Shop,
  {
    role = 'administrator',
    path = '/stock',
    viewport = DESKTOP,
    colorScheme = 'light',
    locale = 'en-GB',
    timezoneId = 'UTC',
    prepare,
    expected,
    storageState,
    camera,
    hasServiceWorker = false,
  }: PageOptions = {},
): Promise<Page> {
  const serviceWorkers = hasServiceWorker ? ('allow' as const) : ('block' as const);
  const options = { viewport, colorScheme, locale, timezoneId, baseURL: shop.url, serviceWorkers, ...STILL };
  const own = camera === undefined ? undefined : await launch(cameraFlags(camera));
  const context = await (own ?? (await launched())).newContext({
    ...options,
    ...(storageState && { storageState }),
  });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const problems: string[] = [];
  shop.pages.push({
    close: async () => {
      await closeContext(context);
      await own?.close();
    },
  });
  t.after(() => assert.deepEqual(problems, [], 'the page had no problem'));
  if (role !== null && !storageState) {
    const response = await context.request.post('/admin/v1/session', {
      data: { key: await shop.makeKey(role) },
    });
    assert.equal(response.status(), 200, await response.text());
  }
  const page = await context.newPage();
  watch(page, shop.url, problems, expected);
  await prepare?.(page);
  await page.goto(path);
  return page;
}

const cameraFlags = (file: string): readonly string[] => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-video-capture=${file}`,
];

/** Goes to another page of the dashboard without loading it again, as a link does. */
export const visit = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

/** Closes a context with its pages. A handler of `page.route` that is under way would fail then. */
async function closeContext(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}

function watch(page: Page, url: string, problems: string[], expected?: RegExp): void {
  page.on('pageerror', (error) => {
    if (!expected?.test(error.message)) problems.push(error.stack ?? error.message);
  });
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (message.text() === NO_WORKER) return;
    const isApi = message.location().url.startsWith(`${url}/admin/v1/`);
    const isHandled = (isApi && REFUSED.test(message.text())) || expected?.test(message.text());
    if (!isHandled) problems.push(message.text());
  });
  page.on('request', (request) => {
    const { origin } = new URL(request.url());
    if (origin !== url && origin !== 'null') problems.push(`a request to ${request.url()}`);
  });
}

/** Resolves when a control has the focus: a dialog gives it a moment after it shows, and keys before that are lost. */
export const focused = (control: Locator): Promise<void> =>
  control.and(control.page().locator(':focus')).waitFor();

export const hasFocus = async (control: Locator): Promise<boolean> =>
  (await control.and(control.page().locator(':focus')).count()) > 0;

/** A script of the page has no time limit of its own: a page that paints no more would hold its test up without a word. */
function limited<T>(what: string, work: Promise<T>): Promise<T> {
  const limit = setTimeout(ACTION_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`Waited ${ACTION_TIMEOUT_MS / 1_000} s for ${what}.`);
  });
  return Promise.race([work, limit]);
}

/** A transition begins two frames after its element is there. */
const TWO_FRAMES = `(async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
})()`;
/** Resolves when the page was drawn as it is now. */
export const twoFrames = (page: Page): Promise<unknown> => limited('two frames', page.evaluate(TWO_FRAMES));

/** What fades in has other colours until its end. A transition that is paused, or is not drawn, would never come to it. */
const END_TRANSITIONS = `(() => {
  for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
})()`;

/**
 * What axe looks at: everything, all but colours, or colours alone, which take most of its time. A selector of each element,
 * which no message has, would take a fifth.
 */
const AXE_OPTIONS = {
  all: {},
  layout: { rules: { 'color-contrast': { enabled: false } } },
  colours: { runOnly: ['color-contrast'] },
} as const;

/**
 * What axe finds on the page as it is now. Its own package for Playwright opens one more page for each call, which takes
 * most of a second.
 */
export async function accessibilityFaults(
  page: Page,
  part: keyof typeof AXE_OPTIONS = 'all',
): Promise<readonly string[]> {
  assert.equal(page.frames().length, 1, 'axe looks at one frame');
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  await twoFrames(page);
  await page.evaluate(END_TRANSITIONS);
  const options = JSON.stringify({ resultTypes: ['violations'], selectors: false, ...AXE_OPTIONS[part] });
  const violations = (await limited(
    'axe',
    page.evaluate(`axe.run(${options}).then(({ violations }) => violations)`),
  )) as AxeResults['violations'];
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** Requires that axe finds nothing on the page as it is now. */
export async function assertAccessible(page: Page): Promise<void> {
  assert.deepEqual(await accessibilityFaults(page), [], `axe at ${page.url()}`);
}

/** Requires it at the widths of a phone, a tablet and a desktop. */
export async function assertAccessibleAtAnyWidth(page: Page): Promise<void> {
  for (const width of [360, 768, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    await assertAccessible(page);
  }
}
