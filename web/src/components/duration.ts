const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A time in its two largest units, such as "3 hr 12 min". */
export function durationText(seconds: number, locale: string): string {
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  const shown = UNITS.slice(first === -1 ? UNITS.length - 1 : first).slice(0, 2);
  let rest = seconds;
  const parts = shown.flatMap(([unit, size], index) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count === 0 && index > 0) return [];
    return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(count);
  });
  return parts.join(' ');
}
