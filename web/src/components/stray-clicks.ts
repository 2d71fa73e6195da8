const CONTROLS = 'button, a, input, select, [role="menuitem"], [role="option"]';

/**
 * A list that moved, a page that came or a dialog that closed may have put another control below the pointer. The second
 * click of a double click is not for that one: it would undo another change, or confirm what was not read.
 */
export function ignoreStrayClicks(): void {
  let first: Element | null = null;
  const onClick = (event: MouseEvent) => {
    const control = event.target instanceof Element ? event.target.closest(CONTROLS) : null;
    if (event.detail <= 1) first = control;
    else if (control !== null && control !== first) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  window.addEventListener('click', onClick, { capture: true });
}
