import { drafts } from '../drafts/drafts.ts';
import { KEPT_VIEWS } from '../storage/kept-views.ts';
import { SESSION } from './kept-session.ts';
import { browserStorage } from '../storage/browser-storage.ts';

/** What the browser keeps of the shop, so that the dashboard opens without a connection. It ends with the session. */

/** The cache of the service worker with the list of the pets. */
const DATA = 'petstore-data';
const SCRIPT = '/service-worker.js';
const ROWS = '/admin/v1/pets/rows';

/** By then a loaded page reads the list of the pets, if it needs it. */
const LIST_BEGINS_MS = 3_000;

let list: Promise<unknown> = Promise.resolve();

/** The service worker reads all its files, and the list once more: it waits for a list that the person waits for. */
export function registerAfter(reading: Promise<unknown>): void {
  list = reading;
}

/** Registers the service worker: the page and its files, which open without a connection from then on. */
export function registerServiceWorker(): void {
  // Without HTTPS there is none, except on the same machine. `npm run dev` has no build.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // The list that this page has read is not kept: the worker sees requests from here on.
  const keepRows = () => void (keptKeyId() !== undefined && fetch(ROWS).catch(() => {}));
  if (!navigator.serviceWorker.controller) {
    navigator.serviceWorker.addEventListener('controllerchange', keepRows, { once: true });
  }
  const register = () => void navigator.serviceWorker.register(SCRIPT).catch(() => {});
  const wait = () => setTimeout(() => void list.finally(register), LIST_BEGINS_MS);
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
}

/** The key whose session the browser keeps, also after its end: a sign-out forgets it in all tabs. */
export function keptKeyId(): string | undefined {
  try {
    const session = JSON.parse(browserStorage.getItem(SESSION) ?? 'null') as { keyId?: string } | null;
    return session?.keyId;
  } catch {
    return undefined;
  }
}

const DRAFT_FILES = 'petstore-drafts-';

/** The cache with the file of a person's draft. Browsers have none without HTTPS, except on the same machine. */
export async function draftFiles(keyId: string): Promise<Cache | undefined> {
  return 'caches' in globalThis ? caches.open(DRAFT_FILES + keyId).catch(() => undefined) : undefined;
}

/** Deletes the drafts of all people, except those of one. */
export function forgetDrafts(exceptKeyId?: string): void {
  drafts.endAll(exceptKeyId);
  if (!('caches' in globalThis)) return;
  const forget = async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith(DRAFT_FILES));
    for (const name of names) if (name !== `${DRAFT_FILES}${exceptKeyId}`) await caches.delete(name);
  };
  forget().catch(() => {});
}

/** Deletes everything of the shop that this browser keeps for the next visit. */
export function forgetShop(): void {
  browserStorage.removeItem(SESSION);
  browserStorage.removeItem(KEPT_VIEWS);
  if ('caches' in globalThis) void caches.delete(DATA).catch(() => {});
}
