/** Round numbers from zero, or below it, to the largest value: at most six. */
export function axisTicks(values: readonly number[]): readonly number[] {
  const most = values.reduce((a, b) => Math.max(a, b), 1);
  const least = values.reduce((a, b) => Math.min(a, b), 0);
  const step = roundStep((most - least) / 4);
  const first = Math.floor(least / step);
  const count = Math.ceil(most / step) - first + 1;
  return Array.from({ length: count }, (_, i) => (first + i) * step);
}

/** The next larger whole step of 1, 2 or 5, or ten times as much. */
function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(size, 1)));
  return power * ([1, 2, 5].find((step) => step * power >= size) ?? 10);
}

/** The labels of an axis that have room, from the first one on. @param at Their middles. */
export function roomFor<T>(
  labels: readonly T[],
  at: (label: T) => number,
  widthOf: (label: T) => number,
): T[] {
  const gap = 16;
  let end = Number.NEGATIVE_INFINITY;
  return labels.filter((label) => {
    const half = widthOf(label) / 2;
    if (at(label) - half < end) return false;
    end = at(label) + half + gap;
    return true;
  });
}
