import './guide.css';
import { root, startFrame } from './frame.ts';

/** The address of the service in the sources of the guides. */
const WRITTEN = 'http://localhost:8080';

/** How long a button that copied says so. */
const SHOWN_MS = 2_000;

const WIDE = matchMedia('(width >= 1200px)');

startFrame();
openOldAddress();
addEventListener('hashchange', openOldAddress);
copyOnClick();
showOwnAddress();
const contents = document.querySelector<HTMLDetailsElement>('.contents details');
// The contents are open beside the text of a wide window, and closed above that of a narrow one.
if (contents) contents.open = WIDE.matches;

/** Leads addresses such as `docs#not_found` and `docs#getPet`, of the time when all was one page, to the pages. */
function openOldAddress(): void {
  const name = decoded(location.hash.slice(1));
  if (name === '' || !document.body.classList.contains('start-page') || document.getElementById(name)) return;
  const [heading = ''] = /[^/]*$/.exec(name) ?? [];
  void import('./search/built-index.ts').then(({ oldAddresses }) => {
    const isHeading = /^(?:v1\/description\/)?[^/]+$/.test(name) && Object.hasOwn(oldAddresses, heading);
    const place = isHeading ? oldAddresses[heading] : `docs/reference#${name}`;
    location.replace(new URL(place ?? '', root));
  });
}

/** Text after the `#`. It may be typed by hand: a wrong escape is no address. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Buttons beside the code of the guides copy it. */
function copyOnClick(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('.guide button.copy') : null;
    const code = button?.parentElement?.querySelector('code')?.textContent;
    if (button && code !== undefined) void copy(button, code ?? '');
  });
}

async function copy(button: HTMLElement, text: string): Promise<void> {
  const show = (label: string) => {
    button.textContent = label;
  };
  // Browsers have no clipboard on a page without TLS.
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  show(isCopied ? 'Copied' : 'Not allowed');
  setTimeout(show, SHOWN_MS, 'Copy');
}

/** Lets the commands of the guides call the service that shows them. */
function showOwnAddress(): void {
  const own = root.href.replace(/\/$/, '');
  for (const code of document.querySelectorAll('pre code')) {
    if (!code.textContent?.includes(WRITTEN)) continue;
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      text.nodeValue = (text.nodeValue ?? '').replaceAll(WRITTEN, own);
    }
  }
}
