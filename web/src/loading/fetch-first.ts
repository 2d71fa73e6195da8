const fetched = new Set<string>();
const styles = new Map<string, Promise<void>>();

/**
 * Imports code after all its files have arrived, in place of Vite's `__vitePreload`. Browsers keep the failure of an
 * import until the document is loaded again, and Vite requests a style sheet one time. The failure of `fetch` is not kept.
 * @param files The code, what it imports, and its style sheets, relative to `importer`.
 */
export async function fetchFirst<Module>(
  load: () => Promise<Module>,
  files: readonly string[] | undefined,
  importer: string,
): Promise<Module> {
  const urls = (files ?? []).map((file) => new URL(file, importer).href);
  await Promise.all(urls.map((url) => (url.endsWith('.css') ? addStyle(url) : fetchFile(url))));
  return load();
}

/** Puts a file into the cache of the browser, which keeps it because its name has the hash of its content. */
async function fetchFile(url: string): Promise<void> {
  if (fetched.has(url)) return;
  const response = await fetch(url, { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`${url}: status ${response.status}.`);
  await response.arrayBuffer();
  fetched.add(url);
}

function addStyle(url: string): Promise<void> {
  let added = styles.get(url);
  if (!added) {
    added = isInPage(url) ? Promise.resolve() : appendStyle(url);
    styles.set(url, added);
    added.catch(() => styles.delete(url));
  }
  return added;
}

/** Whether it is a style sheet of the first page. */
const isInPage = (url: string): boolean => [...document.styleSheets].some(({ href }) => href === url);

function appendStyle(url: string): Promise<void> {
  const link = document.createElement('link');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  link.rel = 'stylesheet';
  link.href = url;
  link.addEventListener('load', () => resolve());
  link.addEventListener('error', () => {
    link.remove();
    reject(new Error(`${url} was not loaded.`));
  });
  document.head.append(link);
  return promise;
}
