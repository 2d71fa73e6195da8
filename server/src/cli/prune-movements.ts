import { type Command, InvalidArgumentError } from 'commander';
import { pruneJson, startJson } from '../http/movements/audit-json.ts';
import { type ClockOptions, requireRightClock, withAcceptClock } from './accept-clock.ts';
import { addCommand, addGroup } from './command.ts';
import { answer, count } from './output.ts';
import { parsePastTime, readableTime } from './parse-time.ts';
import { withDatabase } from './with-database.ts';

const DAY_MS = 86_400_000;
const MAX_DAYS = 36_500;

interface PruneOptions extends ClockOptions {
  readonly before?: number;
  readonly keepDays?: number;
}

/** Adds the commands about the ledger's movements. */
export function addMovements(program: Command): void {
  const movements = addGroup(program, 'movements', 'the history of all stock');

  const prune = addCommand(movements, 'prune', {
    summary: 'forget old movements, but for the newest one of each pet',
    notes:
      'Give one of --before and --keep-days. Nothing is ever forgotten unless this command is run.\n' +
      'History, undo and lists as of a time before then are gone for good: make a backup first.\n' +
      'Stock stays as it is, and verify works on. A service may run meanwhile; an interrupted run is finished by the next.\n' +
      'The prune is recorded in the ledger, and so changes its newest hash: note that again.\n' +
      'A SQLite file gets no smaller: its room is used again.',
    example: 'movements prune --keep-days 730',
  });
  withAcceptClock(prune)
    .option('--before <time>', 'what was recorded before this UTC time or date', parsePastTime)
    .option('--keep-days <n>', 'what was recorded before the last n days', parseDays)
    .action((options: PruneOptions, command: Command) =>
      answer(command, async (config) => {
        const beforeMs = beginOf(options, command);
        const pruned = await withDatabase(config, async (store) => {
          await requireRightClock(store, options);
          return store.pruneMovements(beforeMs(await store.now()));
        });
        const { sequence, recordedAtMs } = pruned.start;
        const begin =
          sequence === 0
            ? 'The ledger begins with its first movement.'
            : `The ledger begins after movement ${sequence}, recorded ${readableTime(recordedAtMs)}.`;
        const { prune } = pruned;
        const recorded = prune
          ? `\nPrune ${prune.number} is recorded after movement ${prune.afterSequence}, hash ${prune.hash}.`
          : '';
        return {
          value: {
            movements: pruned.movements,
            start: startJson(pruned.start),
            prune: pruned.prune ? pruneJson(pruned.prune) : null,
          },
          text: `${count(pruned.movements, 'movement')} forgotten. ${begin}${recorded}`,
        };
      }),
    );
}

/** The moment before which movements are forgotten, given what time it is in the database. */
function beginOf({ before, keepDays }: PruneOptions, command: Command): (nowMs: number) => number {
  if (before !== undefined && keepDays === undefined) return () => before;
  if (before === undefined && keepDays !== undefined) return (nowMs) => nowMs - keepDays * DAY_MS;
  return command.error('error: give one of --before and --keep-days');
}

function parseDays(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MAX_DAYS) {
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_DAYS}.`);
  }
  return days;
}
