import { median } from './compare.ts';

/** A line of the table. `reached` is null if nothing was measured or there is no target. */
export interface Row {
  readonly work: string;
  readonly measured: string;
  readonly target: string;
  readonly reached: boolean | null;
  readonly value: number | null;
  /** The figures behind the ratio. */
  readonly detail: string;
}

interface Figure {
  readonly work: string;
  /** One value a round; the median is the row's value, the extremes show the noise. */
  readonly values: readonly number[];
  readonly unit: string;
  readonly digits: number;
  /** Without one, the row only informs. */
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly detail: string;
}

/** Judges a figure by its median. */
export function row({ work, values, unit, digits, atMost, atLeast, detail }: Figure): Row {
  const value = median(values);
  if (!Number.isFinite(value)) throw new Error(`"${work}" came out as ${value}`);
  const text = (number: number) =>
    // A small negative number must not read "-0.0".
    (Number(number.toFixed(digits)) + 0).toLocaleString('en-US', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  const spread = values.length > 1 ? ` (${text(Math.min(...values))} to ${text(Math.max(...values))})` : '';
  const measured = `${text(value)} ${unit}${spread}`;
  const bound = { work, measured, value, detail };
  if (atMost !== undefined)
    return { ...bound, target: `≤ ${bare(atMost)} ${unit}`, reached: value <= atMost };
  if (atLeast !== undefined)
    return { ...bound, target: `≥ ${bare(atLeast)} ${unit}`, reached: value >= atLeast };
  return { ...bound, target: '-', reached: null };
}

function bare(bound: number): string {
  return bound.toLocaleString('en-US');
}

/** A row for a missing measurement, with the reason in place of the figure. */
export function unmeasured(work: string, reason: string): Row {
  return { work, measured: reason, target: '-', reached: null, value: null, detail: '' };
}

/** The rows as a Markdown table, with the figures behind them below. */
export function markdown(rows: readonly Row[]): string {
  const lines = ['| work | measured | target | reached |', '|---|---|---|---|'];
  for (const { work, measured, target, reached } of rows) {
    lines.push(`| ${work} | ${measured} | ${target} | ${reached === null ? '-' : reached ? 'yes' : 'no'} |`);
  }
  lines.push('', 'Behind the figures (medians):', '');
  for (const { work, detail } of rows) if (detail !== '') lines.push(`- ${work}: ${detail}.`);
  return lines.join('\n');
}
