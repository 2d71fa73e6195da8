/** Browsers limit how often a page changes its address, and a hand scanner types hundreds of keys in seconds. */
export const ADDRESS_DELAY_MS = 150;
