import type { Page } from 'playwright-core';

/** WCAG 2.5.5 (AAA), and the least height of a row in iOS. */
const MIN_PX = 44;
/**
 * A link within a line of text is as high as the line (WCAG 2.5.5, exception "inline"). The cross in a list of choices
 * has an equivalent: the chosen entry again.
 */
const EXCEPTIONS = 'p a, dd a, [class*="_why_"] a, [class*="_sentence_"] a, .mantine-InputClearButton-root';

/** Runs in the page. A control answers where it, its label, or a part of it is the topmost element. */
const SEARCH = `(() => {
  // Half a pixel may belong to the neighbour on either side.
  const least = ${MIN_PX} - 1;
  const belongsTo = (control, hit) => {
    if (hit === null) return false;
    if (control.contains(hit)) return true;
    // The table listens for its cells.
    if (control.matches('[role="gridcell"] > :only-child') && control.parentElement === hit) return true;
    const label = hit.closest('label');
    return label !== null && (label.contains(control) || label.control === control);
  };
  const answersAt = (control, x, y) => belongsTo(control, document.elementFromPoint(x, y));
  const small = [];
  for (const control of document.querySelectorAll('a[href], button, input, select, textarea')) {
    if (control.matches(':disabled, [type="hidden"], [type="file"], [aria-hidden="true"] *, ${EXCEPTIONS}')) continue;
    control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const label = control.labels?.[0];
    const target = control.getBoundingClientRect().width <= 1 && label ? label : control;
    const { left, top, width, height } = target.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    // What is hidden, or below a dialog, is no target.
    if (width <= 1 || !answersAt(control, x, y)) continue;
    const reach = (dx, dy) => {
      let px = 0;
      while (px < least && answersAt(control, x + dx * (px + 1), y + dy * (px + 1))) px += 1;
      return px;
    };
    if (reach(-1, 0) + reach(1, 0) + 1 >= least && reach(0, -1) + reach(0, 1) + 1 >= least) continue;
    const name = control.getAttribute('aria-label') ?? control.textContent.trim().slice(0, 40);
    small.push(control.tagName.toLowerCase() + ' "' + name + '" ' + Math.round(width) + ' x ' + Math.round(height) + ' px, ' + control.className);
  }
  return small;
})()`;

/** Controls of the page that a finger would miss: around their middle they answer on less than 44 px, across or down. */
export function findSmallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(SEARCH);
}
