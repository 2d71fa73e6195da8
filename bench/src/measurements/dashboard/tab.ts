import chromiumPackage from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import type { Service, Shop } from '../../shop.ts';

const MB = 1_000_000;
/** What the page measures itself, so that the way to this process does not count. */
const PROBES = `
globalThis.painted = () => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => resolve(performance.now());
  port2.postMessage(null);
});
globalThis.until = async (isSo) => {
  for (;;) {
    await new Promise(requestAnimationFrame);
    // This frame paints what is so now; a message that is sent in a frame arrives after its paint.
    if (isSo()) return painted();
  }
};
globalThis.textOf = (selector) => document.querySelector(selector)?.textContent ?? '';
globalThis.edited = (selector, path) => new Promise((resolve) => {
  document.addEventListener('keydown', ({ timeStamp }) => {
    const before = textOf(selector);
    const times = {};
    const settle = () => times.shown !== undefined && times.confirmed !== undefined && resolve(times);
    const seen = new MutationObserver(() => {
      if (textOf(selector) === before || times.shown !== undefined) return;
      times.shown = performance.now() - timeStamp;
      settle();
    });
    seen.observe(document.body, { subtree: true, childList: true, characterData: true });
    new PerformanceObserver((list) => {
      const entry = list.getEntries().find(({ name, startTime }) => name.endsWith(path) && startTime >= timeStamp);
      if (!entry || times.confirmed !== undefined) return;
      times.confirmed = entry.responseEnd - timeStamp;
      settle();
    }).observe({ type: 'resource' });
  }, { once: true, capture: true });
});
globalThis.afterKey = (selector) => new Promise((resolve) => {
  document.addEventListener('keydown', ({ timeStamp }) => {
    const before = textOf(selector);
    until(() => !['', before].includes(textOf(selector))).then((atMs) => resolve(atMs - timeStamp));
  }, { once: true, capture: true });
});`;

const FRAMES = `{
  let longest = 0;
  let last = performance.now();
  let frame = requestAnimationFrame(function next(now) {
    longest = Math.max(longest, now - last);
    last = now;
    frame = requestAnimationFrame(next);
  });
  globalThis.endFrames = () => {
    cancelAnimationFrame(frame);
    return longest;
  };
}`;

export interface Edit {
  readonly shown: number;
  readonly confirmed: number;
}

/** A slow mobile network. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/** A signed-in tab of the dashboard in headless Chromium. */
export class Tab implements AsyncDisposable {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #devtools: CDPSession;
  /** Bytes of scripts as they were sent. */
  scriptBytes = 0;

  /** @param serviceWorkers Blocked: a slow connection is not slow for what they read. */
  static async open(
    browser: Browser,
    service: Service,
    shop: Shop,
    serviceWorkers: 'allow' | 'block' = 'allow',
  ): Promise<Tab> {
    const baseURL = `http://127.0.0.1:${service.port}`;
    const viewport = { width: 1_280, height: 800 };
    const context = await browser.newContext({ baseURL, viewport, serviceWorkers });
    const response = await context.request.post('/admin/v1/session', {
      data: { key: await shop.makeStaffKey() },
    });
    if (!response.ok()) throw new Error(`The sign-in got ${response.status()}: ${await response.text()}`);
    const page = await context.newPage();
    await page.addInitScript(PROBES);
    const tab = new Tab(page, context, await context.newCDPSession(page));
    await tab.#countScripts();
    return tab;
  }

  private constructor(page: Page, context: BrowserContext, devtools: CDPSession) {
    this.page = page;
    this.#context = context;
    this.#devtools = devtools;
  }

  /** Milliseconds from the navigation to the first paint in which a condition holds, in the page's own words. */
  async load(path: string, condition: string): Promise<number> {
    await this.page.goto(path, { waitUntil: 'commit' });
    return this.page.evaluate(`until(() => ${condition})`);
  }

  /** Milliseconds from a key to the paint of another text in an element, which is not empty. */
  async pressAndPaint(key: string, selector: string): Promise<number> {
    const painted = this.page.evaluate<number>(`afterKey(${JSON.stringify(selector)})`);
    // The listener is there as soon as the page answers again.
    await this.page.evaluate('0');
    await this.page.keyboard.press(key);
    return painted;
  }

  /** Milliseconds from a key to the new text of an element, and to the end of the response that confirms it. */
  async pressAndConfirm(key: string, selector: string, path: string): Promise<Edit> {
    const edited = this.page.evaluate<Edit>(`edited(${JSON.stringify(selector)}, ${JSON.stringify(path)})`);
    await this.page.evaluate('0');
    await this.page.keyboard.press(key);
    return edited;
  }

  /** From now on the connection has a round trip of 400 ms and 50 kB/s. */
  async slowDown(): Promise<void> {
    await this.#devtools.send('Network.emulateNetworkConditions', SLOW);
  }

  /** The longest time without a frame while an action runs, in milliseconds. */
  async longestFrame(action: () => Promise<void>): Promise<number> {
    await this.page.evaluate(FRAMES);
    await action();
    return this.page.evaluate<number>('globalThis.endFrames()');
  }

  /** The live objects of the page in megabytes. */
  async heapMb(): Promise<number> {
    await this.#devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.#devtools.send('Runtime.getHeapUsage');
    return usedSize / MB;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
  }

  async #countScripts(): Promise<void> {
    const scripts = new Set<string>();
    this.#devtools.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Script') scripts.add(requestId);
    });
    this.#devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) this.scriptBytes += encodedDataLength;
    });
    await this.#devtools.send('Network.enable');
  }
}

/** CPU seconds of all pages of a browser so far. */
export async function pageCpuSeconds(browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession();
  try {
    const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
    const pages = processInfo.filter(({ type }) => type === 'renderer');
    return pages.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  } finally {
    await devtools.detach();
  }
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = await chromiumPackage.executablePath();
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
