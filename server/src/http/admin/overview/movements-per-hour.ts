import type { Ledger } from '../../../domain/ledger-store.ts';

const HOUR_MS = 3_600_000;
export const HOURS = 24;

export interface HourOfMovements {
  readonly beganAtMs: number;
  readonly movements: number;
}

/**
 * The movements of each of the last hours, the running one last. Sequences have no gaps, so that the last movement
 * before each hour is enough. Movements that a prune may have deleted are not counted.
 */
export async function movementsPerHour(
  ledger: Pick<Ledger, 'head' | 'retentionStart' | 'sequenceAt'>,
  nowMs: number,
): Promise<readonly HourOfMovements[]> {
  const runningMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const begins = Array.from({ length: HOURS }, (_, i) => runningMs - (HOURS - 1 - i) * HOUR_MS);
  const [start, ...found] = await Promise.all([
    ledger.retentionStart(),
    ...begins.map((beganAtMs) => ledger.sequenceAt(beganAtMs - 1)),
  ]);
  const { sequence: newest } = await ledger.head();
  const before = [...found, newest].map((sequence) => Math.max(sequence, start.sequence));
  return begins.map((beganAtMs, i) => ({
    beganAtMs,
    movements: Math.max(0, (before[i + 1] ?? 0) - (before[i] ?? 0)),
  }));
}
