import { MAX_KEEP_DAYS } from '@petstore-inventory/shared/limits';
import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import { count } from '@petstore-inventory/shared/terminal/texts';
import { type Command, InvalidArgumentError } from 'commander';
import { type PruneBound, pruneMoment } from '../domain/actions/prune.ts';
import type { PrunePreview, PruneResult } from '../domain/admin-store.ts';
import { CLI_AUTHOR } from '../domain/management/activity.ts';
import { previewJson, prunedJson } from '../wire/audit-json.ts';
import { addCommand } from './command.ts';
import { requireYes, withYes, type YesOptions } from './confirm.ts';
import {
  acceptanceOf,
  type ClockOptions,
  type DryRunOption,
  dryRunOutput,
  withAcceptClock,
  withDryRun,
} from './options.ts';
import type { Output } from './output.ts';
import { type Moment, parsePastTime, shownTime } from './parse-time.ts';
import { databaseCommand } from './with-database.ts';

interface PruneOptions extends ClockOptions, DryRunOption, YesOptions {
  readonly before?: Moment;
  readonly keepDays?: number;
}

/** Adds the commands for the movements of the ledger. */
export function addMovements(program: Command): void {
  const movements = addGroup(program, 'movements', 'the history of all stock');

  const prune = addCommand(movements, 'prune', {
    summary: 'delete old movements, except the newest movement of each pet',
    notes:
      'Give one of --before and --keep-days. The service never deletes movements by itself.\n' +
      'History, undo and past lists from before that time are lost for good: make a backup first.\n' +
      'The stock does not change, and verify still works. The service may run. The next run finishes an interrupted run.\n' +
      'The ledger records the prune, which changes its newest hash: note the hash that the command prints.\n' +
      'A SQLite file does not become smaller; new movements reuse its space.',
    example: 'movements prune --keep-days 730 --dry-run',
  });
  withYes(withDryRun(withAcceptClock(prune), 'the number of movements'))
    .option(
      '--before <time>',
      'delete movements recorded before this UTC time, or longer than 730d, … ago',
      parsePastTime,
    )
    .option('--keep-days <n>', 'delete movements recorded before the last n days', parseDays)
    .action(
      databaseCommand(
        async ({ store, command }, options: PruneOptions) => {
          const bound = boundOf(options, command)(await store.now());
          const beforeMs = await pruneMoment(store, bound, acceptanceOf(options));
          if (options.dryRun) return describePreview(await store.previewPrune(beforeMs));
          await requireYes(options, {
            what: 'movements prune deletes history for good',
            question: async () => {
              const preview = await store.previewPrune(beforeMs);
              return `Delete ${count(preview.movements, 'movement')} for good?${lostEvents(preview)}`;
            },
            done: 'deleted',
          });
          return describe(await store.pruneMovements(beforeMs, CLI_AUTHOR));
        },
        { check: (command, options) => void boundOf(options, command) },
      ),
    );
}

function describePreview(preview: PrunePreview): Output {
  const { movements, start } = preview;
  return dryRunOutput(
    previewJson(preview),
    `${count(movements, 'movement')} would be deleted. ${beginOf(start, 'would begin')}${lostEvents(preview)}`,
  );
}

function lostEvents({ endpointsBehind }: PrunePreview): string {
  if (endpointsBehind === 0) return '';
  const have = endpointsBehind === 1 ? 'has' : 'have';
  return ` ${count(endpointsBehind, 'webhook endpoint')} ${have} not received all of them, and would lose the rest (webhooks list).`;
}

function describe(result: PruneResult): Output {
  const { movements, start, prune } = result;
  const recorded = prune
    ? `\nPrune ${prune.number} is recorded after movement ${prune.afterSequence}, hash ${prune.hash}.`
    : '';
  return {
    value: prunedJson(result),
    text: `${count(movements, 'movement')} deleted. ${beginOf(start, 'begins')}${recorded}`,
  };
}

function beginOf({ sequence, recordedAtMs }: PruneResult['start'], begins: string): string {
  return sequence === 0
    ? `The ledger ${begins} with its first movement.`
    : `The ledger ${begins} after movement ${sequence}, recorded ${shownTime(recordedAtMs)}.`;
}

function boundOf({ before, keepDays }: PruneOptions, command: Command): (nowMs: number) => PruneBound {
  if (before !== undefined && keepDays === undefined) return (nowMs) => ({ beforeMs: before(nowMs) });
  if (before === undefined && keepDays !== undefined) return () => ({ keepDays });
  return command.error('error: give one of --before and --keep-days');
}

function parseDays(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MAX_KEEP_DAYS) {
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_KEEP_DAYS}.`);
  }
  return days;
}
