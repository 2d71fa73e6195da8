import { drafts } from '../drafts/drafts.ts';
import { KEPT_STOCKTAKE } from '../storage/kept-stocktake.ts';
import { KEPT_VIEWS } from '../storage/kept-views.ts';
import { personOf, SESSION } from './kept-session.ts';
import type { Session } from '../session/session-api.ts';
import { browserStorage } from '../storage/browser-storage.ts';

/** What the browser keeps of the shop, so that the dashboard opens without a connection. It ends with the session. */

/** The cache of the service worker with the list of the pets. */
const DATA = 'petstore-data';
const SCRIPT = '/service-worker.js';
const ROWS = '/admin/v1/pets/rows';

/** By then a loaded page reads the list of the pets, if it needs it. */
const LIST_BEGINS_MS = 3_000;

/** How often the page looks for a new build whose files are all there. */
const TAKES_OVER_MS = 5_000;

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
  const keepRows = () => void (keptPersonId() !== undefined && fetch(ROWS).catch(() => {}));
  if (!navigator.serviceWorker.controller) {
    navigator.serviceWorker.addEventListener('controllerchange', keepRows, { once: true });
  }
  const register = () => void navigator.serviceWorker.register(SCRIPT).then(useNewBuilds, () => {});
  const wait = () => setTimeout(() => void list.finally(register), LIST_BEGINS_MS);
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
}

/**
 * Asks the worker of a new build to take over, until it does. Chromium forgets that it was asked if the worker before gets a
 * request in that moment, and then the new one would wait until all pages are closed.
 */
function useNewBuilds(registration: ServiceWorkerRegistration | undefined): void {
  // A browser in which workers are blocked, such as that of a test, gives none.
  if (registration) setInterval(() => registration.waiting?.postMessage('take over'), TAKES_OVER_MS);
}

/** The person whose session the browser keeps, also after its end: a sign-out forgets it in all tabs. */
export function keptPersonId(): string | undefined {
  try {
    const session = JSON.parse(browserStorage.getItem(SESSION) ?? 'null') as Session | null;
    return session ? personOf(session) : undefined;
  } catch {
    return undefined;
  }
}

const DRAFT_FILES = 'petstore-drafts-';

/** The files of drafts are with the person of the session. */
let filesMoved: Promise<unknown> = Promise.resolve();

/** The cache with the file of a person's draft. Browsers have none without HTTPS, except on the same machine. */
export async function draftFiles(personId: string): Promise<Cache | undefined> {
  await filesMoved;
  return 'caches' in globalThis ? caches.open(DRAFT_FILES + personId).catch(() => undefined) : undefined;
}

/** Deletes the drafts of all people, except those of one. They may be kept under the key of the session, as earlier builds did. */
export function forgetDrafts(session?: Session): void {
  if (session) drafts.move(session.keyId, personOf(session));
  drafts.endAll(session && personOf(session));
  if ('caches' in globalThis) filesMoved = forgetFiles(session).catch(() => {});
}

async function forgetFiles(session: Session | undefined): Promise<void> {
  const [own, earlier] = session ? [personOf(session), session.keyId].map((id) => DRAFT_FILES + id) : [];
  for (const name of await caches.keys()) {
    if (!name.startsWith(DRAFT_FILES) || name === own) continue;
    if (name === earlier && own !== undefined) await moveFiles(name, own);
    await caches.delete(name);
  }
}

async function moveFiles(from: string, to: string): Promise<void> {
  const [source, target] = await Promise.all([caches.open(from), caches.open(to)]);
  for (const request of await source.keys()) {
    const file = await source.match(request);
    if (file && !(await target.match(request))) await target.put(request, file);
  }
}

/** Deletes everything of the shop that this browser keeps for the next visit. */
export function forgetShop(): void {
  browserStorage.removeItem(SESSION);
  browserStorage.removeItem(KEPT_VIEWS);
  browserStorage.removeItem(KEPT_STOCKTAKE);
  if ('caches' in globalThis) void caches.delete(DATA).catch(() => {});
}
