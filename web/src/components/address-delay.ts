/** Browsers limit how often a page changes its address, and a hand scanner types hundreds of keys in seconds. */
const ADDRESS_DELAY_MS = 150;

/** The first part of a path names the page; others are its details. */
export const pageName = (): string | undefined => location.pathname.split('/', 2)[1];

/**
 * Writes into the address of the page after a pause.
 * @returns What takes that back.
 */
export function writeAddressLater(write: () => void): () => void {
  const page = pageName();
  const timer = setTimeout(() => {
    // While the code of the next page loads, React keeps this one, whose address would lead back.
    if (pageName() === page) write();
  }, ADDRESS_DELAY_MS);
  return () => clearTimeout(timer);
}
