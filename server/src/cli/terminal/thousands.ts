/** Between the groups of three digits before a decimal point. */
const GROUP = /(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g;

/** A number for people, such as `1,000,000`. Intl does the same, but loads for 15 ms. */
export function thousands(number: number | bigint): string {
  return String(number).replace(GROUP, ',');
}
