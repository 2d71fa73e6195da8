export const FIRST_ROWS = 'first-rows';

/** Removes the first rows: the page has its own, or something else to say. */
export function endFirstRows(): void {
  document.getElementById(FIRST_ROWS)?.remove();
}
