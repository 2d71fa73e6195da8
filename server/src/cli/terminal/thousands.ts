/** A number for people, such as `1,000,000`. */
export function thousands(number: number | bigint): string {
  return number.toLocaleString('en');
}
