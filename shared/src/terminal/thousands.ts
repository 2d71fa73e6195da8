/** A number for people, such as `1,000,000`. Intl does the same, but loads for 15 ms. */
export function thousands(number: number | bigint): string {
  let text = String(number);
  const [integer = ''] = /^-?\d+/.exec(text) ?? [];
  const first = text.startsWith('-') ? 1 : 0;
  for (let at = integer.length - 3; at > first; at -= 3) text = `${text.slice(0, at)},${text.slice(at)}`;
  return text;
}
