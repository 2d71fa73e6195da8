import type { PostgresServer } from '../../server/test/postgres/support/postgres-server.ts';
import type { CpuMeter } from './cpu.ts';
import { type LoadPlan, type LoadResult, prepareLoad } from './load.ts';

/** The input of every measurement. */
export interface Bench {
  /** An empty folder that is removed at the end. */
  readonly directory: string;
  /** The launcher of the service, `petstore-server.js`. */
  readonly service: string;
  readonly meter: CpuMeter;
  /** How long one side is under load in one round. */
  readonly seconds: number;
  readonly rounds: number;
  /** The length of a mixed load; without it, ten. */
  readonly minutes?: number;
  /** A real PostgreSQL, started on first use and shared by all measurements. */
  readonly postgres: () => Promise<PostgresServer>;
}

export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The value that this share of the others is below, such as 0.99. */
export function quantile(values: readonly number[], share: number): number {
  return Float64Array.from(values).sort()[Math.floor((values.length - 1) * share)] ?? Number.NaN;
}

/** The ratios of values that were measured one right after the other. */
export function pairwise(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
}

/** Measures all sides in turn, A B A B ..., so that a busy minute of the machine strikes them alike. */
export async function interleave<T>(rounds: number, sides: readonly (() => Promise<T>)[]): Promise<T[][]> {
  const results: T[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [side, measure] of sides.entries()) results[side]?.push(await measure());
  }
  return results;
}

export interface Target {
  readonly pid: number;
  readonly plan: LoadPlan;
}

export interface Cost {
  readonly perRequest: number;
  readonly load: LoadResult;
}

/** The cost of one request for the server process. */
export async function costOf(bench: Bench, { pid, plan }: Target, seconds = bench.seconds): Promise<Cost> {
  await using load = await prepareLoad({ ...plan, seconds });
  const { spent, result } = await bench.meter.during([pid], () => load.run());
  return { perRequest: spent / result.requests, load: result };
}

/**
 * Requests to each side before it is measured. V8 compiles its hot functions by how often they ran, so a warm-up counts
 * requests: in a time, a slow side would do fewer, and its compilation would be measured with it.
 */
const WARM_UP_REQUESTS = 40_000;
const MAX_WARM_UP_SECONDS = 10;

/** Sends requests to a side until its costs no longer contain the compilation of hot functions. */
export async function warmUp(bench: Bench, nextTarget: () => Target): Promise<void> {
  let requests = 0;
  for (let seconds = 0; requests < WARM_UP_REQUESTS && seconds < MAX_WARM_UP_SECONDS; seconds += 1) {
    requests += (await costOf(bench, nextTarget(), 1)).load.requests;
  }
}

export interface CostComparison {
  /** One ratio a round. */
  readonly ratios: readonly number[];
  /** Both sides' cost of a request, in words. */
  readonly detail: string;
}

/** Warms both sides up, then compares their costs per request. */
export async function compareCosts(
  bench: Bench,
  ours: Target & { readonly name: string },
  theirs: Target & { readonly name: string },
): Promise<CostComparison> {
  for (const side of [ours, theirs]) await warmUp(bench, () => side);
  const sides = [ours, theirs].map((side) => () => costOf(bench, side));
  const [our = [], their = []] = await interleave(bench.rounds, sides);
  return {
    ratios: pairwise(
      our.map((cost) => cost.perRequest),
      their.map((cost) => cost.perRequest),
    ),
    detail: `${describe(bench, ours.name, our)}; ${describe(bench, theirs.name, their)}`,
  };
}

/** The medians of one side's rounds, in words. */
export function describe(bench: Bench, name: string, costs: readonly Cost[]): string {
  const perRequest = median(costs.map((cost) => cost.perRequest));
  const perSecond = median(costs.map(({ load }) => load.requests / load.elapsedSeconds));
  const p50Ms = median(costs.map(({ load }) => load.p50Ms));
  const p99Ms = median(costs.map(({ load }) => load.p99Ms));
  const digits = bench.meter.unit === 'instructions' ? 0 : 1;
  return (
    `${name} ${perRequest.toFixed(digits)} ${bench.meter.unit} per request, ${perSecond.toFixed(0)} requests/s, ` +
    `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`
  );
}
