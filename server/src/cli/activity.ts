import { type LimitOptions, moreOf, mostOf, withLimit } from '@petstore-inventory/shared/terminal/list-limit';
import type { Command } from 'commander';
import { bigintAsDigits } from '../domain/bigint-json.ts';
import type { ActivityEntry, ActivityQuery } from '../domain/management/activity.ts';
import { onlySet } from '../domain/only-set.ts';
import { activityMembers } from '../wire/activity-json.ts';
import { addCommand } from './command.ts';
import type { Output } from './output.ts';
import { shownTable } from './output.ts';
import { type Moment, parsePastTime, shownTime } from './parse-time.ts';
import { databaseCommand } from './with-database.ts';

interface ActivityOptions extends LimitOptions {
  readonly since?: Moment;
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
}

/** Adds the command that shows the activity log. */
export function addActivity(program: Command): void {
  withLimit(
    addCommand(program, 'activity', {
      summary: 'list what management keys and the command line changed, newest first',
      example: 'activity --since 2026-01-01 --action keys.create',
    })
      .option(
        '--since <time>',
        'only actions at this UTC time or later, or in the last 90m, 7d, …',
        parsePastTime,
      )
      .option('--by, --actor <id>', 'only actions of the key with this id, or of cli, the command line')
      .option('--action <name>', 'only actions of this kind, such as keys.revoke')
      .option('--target <id>', 'only actions that changed what has this id'),
    'actions',
  ).action(
    databaseCommand(async ({ store }, options: ActivityOptions) => {
      const { since, actor, action, target } = options;
      const limit = mostOf(options);
      const filter = { sinceMs: since?.(await store.now()), actor, action, target };
      // One entry above the limit shows whether there are more.
      const entries = await store.activity.list(onlySet<ActivityQuery>({ ...filter, limit: limit + 1 }));
      return describe(entries.slice(0, limit), entries.length <= limit);
    }),
  );
}

function describe(entries: readonly ActivityEntry[], isWhole: boolean): Output {
  const value = entries.map(activityMembers);
  if (entries.length === 0) return { value, text: 'There are no such actions.' };
  const rows = entries.map(({ recordedAtMs, actorName, action, target, details }) => [
    shownTime(recordedAtMs),
    actorName,
    action,
    target ?? '',
    detailsText(details),
  ]);
  const text = shownTable(['TIME', 'BY', 'ACTION', 'TARGET', 'DETAILS'], rows);
  return { value, text, ...moreOf(!isWhole, 'actions') };
}

/** The details of an action, such as `plan: "pro", perDay: 1000`. */
function detailsText(details: ActivityEntry['details']): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${JSON.stringify(value, bigintAsDigits)}`)
    .join(', ');
}
