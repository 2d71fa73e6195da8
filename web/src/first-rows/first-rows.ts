import '@fontsource-variable/inter/index.css';
import '../theme/tokens.css';
import '../theme/global.css';
import { parseExact } from '../api/exact-json.ts';
import type { ManagedPet, SavedView } from '../api/schemas.ts';
import { browserStorage } from '../storage/browser-storage.ts';
import { KEPT_VIEWS } from '../storage/kept-views.ts';
import { preferredLanguage } from '../texts/preferred-language.ts';
import { drawFirstRows } from './draw-first-rows.ts';
import { endFirstRows } from './end-first-rows.ts';

/**
 * Shows the first pets of the stock where the code of the dashboard takes seconds to arrive: over 400 ms and 50 kB/s the
 * list is there after 2 s instead of 7. It needs a hundredth of that code.
 */

/** The time of the page itself, which is small, on a slow connection. On others the whole page comes as soon as this would. */
const SLOW_MS = 200;
/** The least height of a row: no screen has more of them. */
const ROW_HEIGHT = 36;
const MAX_PETS = 40;
/** After this time the notice of the page, which says that it did not load, is more useful. */
const LONGEST_MS = 30_000;

/** Whether the stock opens with a saved view, whose rows are others. */
function hasDefaultView(): boolean {
  try {
    const views = JSON.parse(browserStorage.getItem(KEPT_VIEWS) ?? '[]') as readonly SavedView[];
    return views.some(({ list, isDefault }) => list === 'stock' && isDefault);
  } catch {
    return false;
  }
}

/** Whether the page is the whole stock, on a slow connection, for a person with a session. */
function isWanted(): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (page === undefined || page.responseEnd - page.requestStart < SLOW_MS) return false;
  // The service worker has the code.
  if ('serviceWorker' in navigator && navigator.serviceWorker.controller) return false;
  const session = document.querySelector<HTMLMetaElement>('meta[name="session"]')?.content;
  const isWhole = location.pathname === '/stock' && location.search === '' && !hasDefaultView();
  return isWhole && session !== 'none';
}

/** Whether code of the page could not be loaded, so that only its notice can say more. */
let hasFailed = false;

async function show(): Promise<void> {
  const limit = Math.min(MAX_PETS, Math.ceil(innerHeight / ROW_HEIGHT));
  const response = await fetch(`/admin/v1/pets?limit=${limit}`);
  if (!response.ok) return;
  const pets = parseExact(await response.text()) as readonly ManagedPet[];
  // Code that was quicker shows the page already.
  if (hasFailed || pets.length === 0 || document.querySelector('#root > div') !== null) return;
  const root = document.documentElement;
  const scheme = browserStorage.getItem('mantine-color-scheme-value');
  if (scheme === 'light' || scheme === 'dark') root.dataset.mantineColorScheme = scheme;
  if (browserStorage.getItem('density') === 'dense') root.dataset.density = 'dense';
  document.body.append(drawFirstRows(pets, preferredLanguage()));
  setTimeout(endFirstRows, LONGEST_MS);
}

if (isWanted()) {
  const onError = ({ target }: Event) => {
    if (!(target instanceof HTMLScriptElement)) return;
    hasFailed = true;
    endFirstRows();
  };
  // The event of a script does not bubble.
  window.addEventListener('error', onError, true);
  // Without the rows the page shows when its code is there.
  show().catch(() => {});
}
