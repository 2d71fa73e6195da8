import { median } from '../compare.ts';
import type { Disturbed, Pair, PairsOfEngine, Times } from './measure.ts';

/** A part is slowed when in most rounds its median is so many times longer, and by more than so much. */
const MOST_TIMES = 3;
const MEDIAN_SLACK_MS = 250;
/** Or when in most rounds the longest takes so many times longer, and by more than so much. */
const LONGEST_TIMES = 2;
const LONGEST_SLACK_MS = 1_000;

interface Figures {
  readonly median: number;
  readonly longest: number;
}

/** The pairs in which a part was slowed by more than the bound, or failed. */
export function slowed({ engine, disturbed }: PairsOfEngine): string[] {
  return disturbed.flatMap(({ by, pairs, failure: own }) => [
    ...(own === undefined ? [] : [`${engine}: ${by} failed themselves: ${own}`]),
    ...[...pairs].flatMap(([name, pair]) => {
      if (pair.failure !== undefined) return `${engine}: ${name} failed beside ${by}: ${pair.failure}`;
      if (!isSlowed(pair)) return [];
      const rounds = pair.rounds.map(({ alone, disturbed: meanwhile }) => {
        return `${ms(figures(alone).median)} to ${ms(figures(meanwhile).median)}`;
      });
      return `${engine}: ${name} beside ${by}: medians in ms, of each round: ${rounds.join(', ')}`;
    }),
  ]);
}

/** A table of each engine: how many times longer the median, and the longest time, of each part is beside each other one. */
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
  const alone = disturbed
    .flatMap(({ pairs }) => pairs.get(name)?.rounds ?? [])
    .map((round) => figures(round.alone));
  return `${ms(median(alone.map((round) => round.median)))} / ${ms(median(alone.map(({ longest }) => longest)))}`;
}

function cell(pair: Pair | undefined): string {
  if (!pair) return '-';
  if (pair.failure !== undefined) return '**failed**';
  const ratios = (of: (round: Figures) => number) =>
    median(pair.rounds.map(({ alone, disturbed }) => of(figures(disturbed)) / of(figures(alone))));
  const text = `${ratios((round) => round.median).toFixed(1)} / ${ratios((round) => round.longest).toFixed(1)}`;
  return isSlowed(pair) ? `**${text}**` : text;
}

/** One slow round may be other work on the machine. */
function isSlowed({ rounds }: Pair): boolean {
  return rounds.filter(isSlowRound).length > rounds.length / 2;
}

function isSlowRound({ alone, disturbed }: Times): boolean {
  const [before, meanwhile] = [figures(alone), figures(disturbed)];
  const isMedianLong =
    meanwhile.median > MOST_TIMES * before.median && meanwhile.median > before.median + MEDIAN_SLACK_MS;
  const isLongestLong =
    meanwhile.longest > LONGEST_TIMES * before.longest &&
    meanwhile.longest > before.longest + LONGEST_SLACK_MS;
  return isMedianLong || isLongestLong;
}

function figures(values: readonly number[]): Figures {
  return { median: median(values), longest: Math.max(...values) };
}

function ms(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}
