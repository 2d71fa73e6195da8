const SHOWN_MS = 2_000;

/** Buttons beside the code of the guides copy it. */
export function copyOnClick(): void {
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
