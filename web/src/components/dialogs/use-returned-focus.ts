import { useEffect, useState } from 'react';

/** The control outside of all dialogs that had the focus last: a dialog can open another one in its own place. */
let outside: Element | null = null;

/** Gives the focus to a control, or to the page where the control is gone, or goes because of what the dialog has done. */
function giveFocus(control: HTMLElement): void {
  if (!control.isConnected) return focusPage();
  control.focus();
  const changes = new MutationObserver(() => {
    const isThere = control.isConnected;
    if (isThere && document.activeElement === control) return;
    changes.disconnect();
    if (!isThere && document.activeElement === document.body) focusPage();
  });
  changes.observe(document.body, { childList: true, subtree: true });
}

const focusPage = (): void => document.getElementById('content')?.focus({ preventScroll: true });

/**
 * Returns the focus to the control that had it, when the dialog that calls this goes away. Mantine returns it only for a
 * dialog that stays mounted.
 */
export function useReturnedFocus(): void {
  // While it renders for the first time, nothing of the dialog has the focus.
  const [opener] = useState(findOpener);
  useEffect(
    () => () => {
      const isFree = document.activeElement === null || document.activeElement === document.body;
      if (isFree && opener instanceof HTMLElement) giveFocus(opener);
    },
    [opener],
  );
}

function findOpener(): Element | null {
  const active = document.activeElement;
  if (active?.closest('[role="dialog"]')) return outside;
  const menu = active?.closest('[role="menu"]');
  // A menu goes away with its items; its button stays.
  outside = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active;
  return outside;
}
