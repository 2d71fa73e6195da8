import { safe } from './safe-text.ts';

/** A number for people, such as `1,000,000`. Intl does the same, but loads for 15 ms. */
export function thousands(number: number | bigint): string {
  let text = String(number);
  const [integer = ''] = /^-?\d+/.exec(text) ?? [];
  const first = text.startsWith('-') ? 1 : 0;
  for (let at = integer.length - 3; at > first; at -= 3) text = `${text.slice(0, at)},${text.slice(at)}`;
  return text;
}

/** A number of things, such as `1 pet` or `2 pets`. */
export function count(number: number | bigint, thing: string): string {
  return `${thousands(number)} ${thing}${Number(number) === 1 ? '' : 's'}`;
}

/** A moment for people, to the minute. @param time An ISO 8601 time in UTC. */
export function readableTime(time: string | null, none = 'never'): string {
  return time === null ? none : `${safe(time).slice(0, 16).replace('T', ' ')} UTC`;
}

/** A duration for people, such as `45 s`, `12 min` or `3 h 20 min`. */
export function readableSeconds(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  const rest = minutes % 60;
  if (minutes < 60) return `${minutes} min`;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}
