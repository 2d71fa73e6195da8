import { median, quantile } from '../compare.ts';
import type { Disturbed, Pair, PairsOfEngine } from './measure.ts';

/** A part is slowed when its median is so many times longer, and by more than so much. */
const MOST_TIMES = 3;
const MEDIAN_SLACK_MS = 250;
/** Or when one in a hundred takes so much longer. */
const P99_SLACK_MS = 1_000;

interface Figures {
  readonly median: number;
  readonly p99: number;
}

/** The pairs in which a part was slowed by more than the bound, or failed. */
export function slowed({ engine, disturbed }: PairsOfEngine): string[] {
  return disturbed.flatMap(({ by, pairs, failure: own }) => [
    ...(own === undefined ? [] : [`${engine}: ${by} failed themselves: ${own}`]),
    ...[...pairs].flatMap(([name, pair]) => {
      if (pair.failure !== undefined) return `${engine}: ${name} failed beside ${by}: ${pair.failure}`;
      if (!isSlowed(pair)) return [];
      const [alone, meanwhile] = [figures(pair.alone), figures(pair.disturbed)];
      return `${engine}: ${name} beside ${by}: median ${ms(alone.median)} to ${ms(meanwhile.median)} ms, p99 ${ms(alone.p99)} to ${ms(meanwhile.p99)} ms`;
    }),
  ]);
}

/** A table of each engine: how many times longer the median, and the p99, of each part is beside each other one. */
export function pairsTable({ engine, disturbed, left }: PairsOfEngine): string {
  const names = [...new Set(disturbed.flatMap(({ pairs }) => [...pairs.keys()]))];
  const lines = [
    `### ${engine}`,
    '',
    `| slow or failing | ${names.join(' | ')} | CPU time of the service |`,
    `|---|${'---|'.repeat(names.length + 1)}`,
    `| nothing: ms | ${names.map((name) => aloneCell(disturbed, name)).join(' | ')} | - |`,
    ...disturbed.map((row) => rowLine(row, names)),
  ];
  for (const [name, reason] of left) lines.push('', `No ${name}: ${reason}`);
  return lines.join('\n');
}

/** What one part does to those of these names. */
export function rowLine({ by, pairs, cpu }: Disturbed, names: readonly string[]): string {
  const cells = names.map((name) => cell(pairs.get(name))).join(' | ');
  return `| ${by} | ${cells} | ${(cpu.disturbed / cpu.alone).toFixed(1)} x |`;
}

function aloneCell(disturbed: readonly Disturbed[], name: string): string {
  const { median: middle, p99 } = figures(disturbed.flatMap(({ pairs }) => pairs.get(name)?.alone ?? []));
  return `${ms(middle)} / ${ms(p99)}`;
}

function cell(pair: Pair | undefined): string {
  if (!pair) return '-';
  if (pair.failure !== undefined) return '**failed**';
  const [alone, meanwhile] = [figures(pair.alone), figures(pair.disturbed)];
  const text = `${times(meanwhile.median, alone.median)} / ${times(meanwhile.p99, alone.p99)}`;
  return isSlowed(pair) ? `**${text}**` : text;
}

function isSlowed({ alone, disturbed }: Pair): boolean {
  const [before, meanwhile] = [figures(alone), figures(disturbed)];
  const isMedianLong =
    meanwhile.median > MOST_TIMES * before.median && meanwhile.median > before.median + MEDIAN_SLACK_MS;
  return isMedianLong || meanwhile.p99 > before.p99 + P99_SLACK_MS;
}

function figures(values: readonly number[]): Figures {
  return { median: median(values), p99: quantile(values, 0.99) };
}

function ms(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

function times(value: number, of: number): string {
  return (value / of).toFixed(1);
}
