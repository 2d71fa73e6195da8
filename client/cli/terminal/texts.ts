import { thousands } from '@petstore-inventory/shared/terminal/thousands';
import { safe } from './safe-text.ts';

export { thousands };

/** A number of things, such as `1 pet` or `2 pets`. */
export function count(number: number, thing: string): string {
  return `${thousands(number)} ${thing}${number === 1 ? '' : 's'}`;
}

/** A moment for people, to the minute. */
export function readableTime(time: string | null): string {
  return time === null ? 'never' : `${safe(time).slice(0, 16).replace('T', ' ')} UTC`;
}

/** A duration for people, such as `45 s`, `12 min` or `3 h 20 min`. */
export function readableSeconds(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  const rest = minutes % 60;
  if (minutes < 60) return `${minutes} min`;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}
