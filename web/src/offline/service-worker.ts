/// <reference lib="webworker" />

/**
 * Opens the dashboard without a connection: it keeps the page, its files, and the last list of the pets. It answers nothing
 * else of the service, and no change goes through it.
 */

interface Build {
  /** Differs for each build. */
  readonly version: string;
  /** Paths of the files that the dashboard needs. */
  readonly files: readonly string[];
}

// The build replaces the constant. A module would need `import`, which some browsers lack in a service worker.
const { version, files }: Build = JSON.parse('__BUILD__');
const worker = globalThis as unknown as ServiceWorkerGlobalScope;

const PREFIX = 'shell-';
const SHELL = `${PREFIX}${version}`;
/** The person's data. The page deletes it when the session ends. */
const DATA = 'petstore-data';
const PAGE = '/';
const ROWS = '/admin/v1/pets/rows';
/** When a kept list was read. */
const KEPT_AT = 'Petstore-Kept-At';
/** Rare files of the dashboard, kept when they are used. Others of the same folder are those of the documentation. */
const RARE = /\.(?:wasm|woff2)$|\/barcode-worker-/;
/** A service that takes longer to begin an answer is as good as not there. */
const ANSWER_MS = 4_000;
/** What is no page of the dashboard. */
const OTHERS = /^\/(?:v1|admin|docs|metrics|healthz|readyz|openapi)\b|\.\w+$/;

worker.addEventListener('install', (event) => {
  event.waitUntil(install());
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(activate());
});

// Pages that are open go on with the files that they have, so nothing that is typed is lost.
worker.addEventListener('message', (event) => {
  event.waitUntil(worker.skipWaiting());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== worker.location.origin) return;
  if (request.mode === 'navigate') {
    if (!OTHERS.test(url.pathname)) event.respondWith(pageFor(event));
  } else if (url.pathname === ROWS) event.respondWith(rowsFor(event));
  else if (files.includes(url.pathname) || RARE.test(url.pathname)) {
    event.respondWith(fileFor(event));
  }
});

async function install(): Promise<void> {
  const shell = await caches.open(SHELL);
  const responses = await Promise.all(files.map(wholeFile));
  await Promise.all(responses.map((response, index) => shell.put(files[index] as string, response)));
  const page = await fetch(PAGE);
  if (!page.ok) throw new Error(`${PAGE}: status ${page.status}.`);
  if (!(await keepPage(page))) throw new Error(`${PAGE} is of another build.`);
}

/** @throws Error unless the service sends the file: what is kept once is used until the next build. */
async function wholeFile(path: string): Promise<Response> {
  const response = await fetch(path);
  if (!isFile(response)) throw new Error(`${path}: status ${response.status}.`);
  // Nothing is kept of a build of which a file does not arrive.
  await response.clone().arrayBuffer();
  return response;
}

async function activate(): Promise<void> {
  const shells = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== SHELL);
  // Open pages may need a file of the build before, which the service has no longer.
  // Nothing here waits for the service: pages that are opened meanwhile wait for the end of this.
  for (const name of shells.slice(0, -1)) await caches.delete(name);
  // The page that registered this worker gets its files from here too, so that it works offline.
  await worker.clients.claim();
}

/** The page of the service, or the kept one if that takes too long or fails. */
async function pageFor(event: FetchEvent): Promise<Response> {
  const fresh = fetch(event.request).then(async (response) => {
    if (response.ok && !response.redirected) event.waitUntil(keepPage(response.clone()));
    return response.status < 500 ? response : undefined;
  });
  const first = await Promise.race([fresh.catch(() => undefined), after(ANSWER_MS)]);
  return first ?? (await keptIn(SHELL, PAGE)) ?? fresh.then((response) => response ?? Response.error());
}

/**
 * Keeps a page with its headers: its nonce is in both. A kept page must not claim that there is no session.
 * @returns `false` for the page of another build: its worker keeps it when it has all its files.
 */
async function keepPage(page: Response): Promise<boolean> {
  const text = await page.text();
  const sources = [...text.matchAll(/ (?:src|href)="(\/assets\/[^"]+)"/g)];
  if (sources.length === 0 || !sources.every(([, source = '']) => files.includes(source))) return false;
  const html = text.replace('name="session" content="none"', 'name="session" content=""');
  const { status, headers } = page;
  await (await caches.open(SHELL)).put(PAGE, new Response(html, { status, headers: unencoded(headers) }));
  return true;
}

function unencoded(own: Headers): Headers {
  const headers = new Headers(own);
  // The body is decoded.
  for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name);
  return headers;
}

/** A file of this build or of the one before: its name has the hash of its content. */
async function fileFor(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const kept = await caches.match(request).catch(() => undefined);
  if (kept) return kept;
  const response = await fetch(request);
  if (isFile(response)) event.waitUntil(keepFile(request, response.clone()));
  return response;
}

/** A full disk only leaves the file to the service. */
async function keepFile(request: Request, response: Response): Promise<void> {
  const shell = await caches.open(SHELL);
  await shell.put(request, response).catch(() => {});
}

/** Keeps the list of the pets with its time. A full disk only leaves the list before. */
async function keepRows({ body, headers: own }: Response): Promise<void> {
  const headers = unencoded(own);
  headers.set(KEPT_AT, new Date().toISOString());
  const data = await caches.open(DATA);
  await data.put(ROWS, new Response(body, { headers })).catch(() => {});
}

/** The pets as the service has them, or as they were when it was reached last. */
async function rowsFor(event: FetchEvent): Promise<Response> {
  const fresh = fetch(event.request);
  // A list that arrives too late for this answer is kept for the next one.
  event.waitUntil(
    fresh
      .then((response) => (response.ok && isOfService(response) ? keepRows(response.clone()) : undefined))
      .catch(() => {}),
  );
  const kept = await keptIn(DATA, ROWS);
  if (!kept) return fresh;
  const first = await Promise.race([fresh.catch(() => undefined), after(ANSWER_MS)]);
  return first && isOfService(first) ? first : kept;
}

/** A proxy sends 502, 503 or 504 in place of a service that it does not reach, and the sign-in of a network sends a page. */
const isOfService = ({ status, headers }: Response): boolean =>
  status !== 502 &&
  status !== 504 &&
  (status !== 503 || headers.has('Petstore-Version')) &&
  !headers.get('Content-Type')?.startsWith('text/html');

/** Whether a file may be kept. None of the service is elsewhere, as a sign-in is. */
const isFile = (response: Response): boolean => response.ok && !response.redirected && isOfService(response);

/** What a cache has. A browser whose storage is damaged can open none, and then has what the service answers. */
const keptIn = (cacheName: string, path: string): Promise<Response | undefined> =>
  caches.match(path, { cacheName }).catch(() => undefined);

const after = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
