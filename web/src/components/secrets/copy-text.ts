/** Copies a text. Without TLS, other hosts than localhost have no clipboard, so a selection is copied there. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  // Inside the dialog that has the focus, because a dialog takes the focus back from the rest of the page.
  const parent = document.activeElement?.closest('[role="dialog"]') ?? document.body;
  const focused = document.activeElement;
  parent.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error('The browser refused to copy.');
}
