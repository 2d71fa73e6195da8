import { useEffect, useState } from 'react';

/** The control outside of all dialogs that had the focus last: a dialog can open another one in its own place. */
let outside: Element | null = null;

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
      if (isFree && opener instanceof HTMLElement && opener.isConnected) opener.focus();
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
