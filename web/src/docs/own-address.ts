/** The address of the service in the sources of the guides. */
const WRITTEN = 'http://localhost:8080';

/** Lets the commands of the guides call the service that shows them. */
export function showOwnAddress(guides: HTMLElement): void {
  const own = new URL('.', document.baseURI).href.replace(/\/$/, '');
  for (const code of guides.querySelectorAll('pre code')) {
    if (!code.textContent?.includes(WRITTEN)) continue;
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      text.nodeValue = (text.nodeValue ?? '').replaceAll(WRITTEN, own);
    }
  }
}
