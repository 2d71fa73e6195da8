import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, median } from '../compare.ts';
import { makeShop, type Engine } from '../shop.ts';
import { makeParts, type Measured, type Parts } from './parts.ts';

const PETS = 10_000;
/** Between two works of a part that is measured. */
const PAUSE_MS = 20;

/** The times of a part in milliseconds. */
export interface Times {
  /** Undisturbed, right before and right after. */
  readonly alone: readonly number[];
  readonly disturbed: readonly number[];
}

export interface Pair {
  /** Undisturbed and disturbed in turn, so that other work on the machine is in both. */
  readonly rounds: readonly Times[];
  /** Why the part failed meanwhile. */
  readonly failure: string | undefined;
}

/** What one part does to the others. */
export interface Disturbed {
  readonly by: string;
  /** By the names of the parts. */
  readonly pairs: ReadonlyMap<string, Pair>;
  /** CPU time of the service per second, disturbed and alone, in the unit of the meter. */
  readonly cpu: { readonly alone: number; readonly disturbed: number };
  /** Why the part that is slow could not work on. */
  readonly failure: string | undefined;
}

export interface PairsOfEngine {
  readonly engine: Engine;
  readonly disturbed: readonly Disturbed[];
  /** Parts that cannot be measured here, with the reason. */
  readonly left: ReadonlyMap<string, string>;
}

interface Window {
  readonly times: ReadonlyMap<string, number[]>;
  readonly failures: ReadonlyMap<string, string>;
  readonly cpuPerSecond: number;
}

interface Round {
  /** Right before and right after. */
  readonly alone: readonly Window[];
  readonly disturbed: Window;
}

/**
 * Makes one part after the other slow, and measures all others meanwhile, and right before and after.
 * @param only Words of what is made slow. @param beside The parts that are measured; all without one.
 */
export async function measurePairs(
  bench: Bench,
  engine: Engine,
  {
    only,
    beside,
    onRow,
  }: {
    readonly only: readonly string[];
    readonly beside: readonly string[];
    readonly onRow: (row: Disturbed) => void;
  },
): Promise<PairsOfEngine> {
  const shop = await makeShop(bench, PETS, engine);
  await using service = await shop.start();
  await using parts = await makeParts(shop, service);
  requireKnown(parts, only, beside);
  const left = await warmUp(parts);
  const isMeasured = (name: string) => beside.length === 0 || beside.includes(name);
  const window = (part: string) => {
    const lists = parts.measured.map(({ cycleMs, works }) => {
      const chosen = ([name]: [string, unknown]) => name !== part && !left.has(name) && isMeasured(name);
      return { cycleMs, works: Object.fromEntries(Object.entries(works).filter(chosen)) };
    });
    return measureWindow(
      bench,
      service.pid,
      lists.filter(({ works }) => Object.keys(works).length > 0),
    );
  };
  const isWanted = (by: string) => only.length === 0 || only.some((words) => by.includes(words));
  const disturbed: Disturbed[] = [];
  for (const [by, { part, start }] of Object.entries(parts.disturbed)) {
    if (left.has(part) || !isWanted(by)) continue;
    const windows: Round[] = [];
    let failure: string | undefined;
    let before = await window(part);
    for (let round = 0; round < bench.rounds; round += 1) {
      const stop = await start();
      const disturbed = await window(part);
      await stop().catch((error: Error) => {
        failure = error.message;
      });
      // Imports and changes make the ledger longer, and what reads all of it slower.
      const after = await window(part);
      windows.push({ alone: [before, after], disturbed });
      before = after;
    }
    const row = { ...summed(by, windows), failure };
    disturbed.push(row);
    onRow(row);
  }
  return { engine, disturbed, left };
}

/** @throws Error for words that choose nothing. */
function requireKnown(
  { disturbed, measured }: Parts,
  only: readonly string[],
  beside: readonly string[],
): void {
  const [all, names] = [Object.keys(disturbed), measured.flatMap(({ works }) => Object.keys(works))];
  const unknown = only.find((words) => !all.some((by) => by.includes(words)));
  if (unknown !== undefined) throw new Error(`--only "${unknown}" is in none of: ${all.join(', ')}.`);
  const missing = beside.find((name) => !names.includes(name));
  if (missing !== undefined) throw new Error(`--beside "${missing}" is none of: ${names.join(', ')}.`);
}

/** Each part works a few times. Returns those that cannot. */
async function warmUp({ measured }: Parts): Promise<Map<string, string>> {
  const left = new Map<string, string>();
  for (const [name, work] of measured.flatMap(({ works }) => Object.entries(works))) {
    try {
      for (let count = 0; count < 3; count += 1) await work();
    } catch (error) {
      // Only a backup needs programs of others.
      if (name !== 'backup') throw error;
      left.set(name, (error as Error).message.trimEnd().split('\n').at(-1) ?? '');
    }
  }
  return left;
}

/** The works of a list one after the other, again and again; the lists at the same time. */
async function measureWindow(bench: Bench, pid: number, lists: readonly Measured[]): Promise<Window> {
  const times = new Map<string, number[]>(
    lists.flatMap(({ works }) => Object.keys(works).map((name) => [name, []])),
  );
  const failures = new Map<string, string>();
  const beganAtMs = performance.now();
  const measure = async ({ cycleMs, works }: Measured) => {
    do {
      const nextAtMs = performance.now() + cycleMs;
      for (const [name, work] of Object.entries(works)) {
        const startedAtMs = performance.now();
        try {
          await work();
          times.get(name)?.push(performance.now() - startedAtMs);
        } catch (error) {
          failures.set(name, (error as Error).message);
        }
        await sleep(PAUSE_MS);
      }
      await sleep(Math.max(0, nextAtMs - performance.now()));
    } while (performance.now() < beganAtMs + bench.seconds * 1_000);
  };
  const { spent } = await bench.meter.during([pid], () => Promise.all(lists.map(measure)));
  return { times, failures, cpuPerSecond: (spent / (performance.now() - beganAtMs)) * 1_000 };
}

function summed(by: string, rounds: readonly Round[]): Omit<Disturbed, 'failure'> {
  const alone = rounds.flatMap((round) => round.alone);
  const disturbed = rounds.map((round) => round.disturbed);
  const timesOf = (windows: readonly Window[], name: string) =>
    windows.flatMap(({ times }) => times.get(name) ?? []);
  const names = [...(alone[0]?.times.keys() ?? [])];
  const pairOf = (name: string): Pair => ({
    rounds: rounds.map((round) => ({
      alone: timesOf(round.alone, name),
      disturbed: timesOf([round.disturbed], name),
    })),
    failure: [...alone, ...disturbed].map(({ failures }) => failures.get(name)).find((failure) => failure),
  });
  const cpuOf = (windows: readonly Window[]) => median(windows.map(({ cpuPerSecond }) => cpuPerSecond));
  return {
    by,
    pairs: new Map(names.map((name) => [name, pairOf(name)])),
    cpu: { alone: cpuOf(alone), disturbed: cpuOf(disturbed) },
  };
}
