import { z } from '@hono/zod-openapi';
import { hasAtMost } from '@petstore-inventory/shared/characters';
import { MAX_ACTIVITY_TEXT } from '@petstore-inventory/shared/limits';
import { parseWholeNumber } from '@petstore-inventory/shared/numeral';
import { ACTIVITY_ACTIONS } from '@petstore-inventory/shared/words';
import type { ManagementStore } from '../../domain/admin-store.ts';
import type { ActivityQuery } from '../../domain/management/activity.ts';
import { onlySet } from '../../domain/only-set.ts';
import { activityMembers } from '../../wire/activity-json.ts';
import { operationsWith } from '../operation/operation.ts';
import { page, pageOf, view } from '../operation/output.ts';
import { cursor, LIMIT, moment as momentParameter, Parameter } from '../operation/parameter.ts';
import { ActorSchema } from '../schemas/actor.ts';
import { moment, REQUEST_ID_PATTERN } from '../schemas/values.ts';

const operation = operationsWith<{ readonly management: ManagementStore }>({
  tag: 'System',
});

/** New actions must not break generated clients, so the list is not an `enum`. */
const ActionSchema = z.string().openapi('ActivityAction', {
  pattern: '^[a-z-]{1,40}\\.[a-z-]{1,40}$',
  description: 'What was done: a group and a verb. `x-actions` lists all; more may be added.',
  example: 'accounts.create',
  'x-actions': ACTIVITY_ACTIONS,
});

const ENTRY = view(
  'ActivityEntry',
  z
    .object({
      recordedAt: moment('When it was done.'),
      actor: ActorSchema,
      requestId: z
        .string()
        .nullable()
        .openapi({ pattern: REQUEST_ID_PATTERN, description: 'The request; `null` for the command line.' }),
      action: ActionSchema,
      target: z
        .string()
        .nullable()
        .openapi({ maxLength: 200, description: 'The id of what was changed; `null`: the shop.' }),
      details: z.record(z.string(), z.unknown()).openapi({
        description:
          'The new values with the names of their fields, and of an edit of a pet the earlier ones, such as `previousName`; without secrets. Members may be added.',
      }),
    })
    .openapi({ description: 'A line of the activity log.' }),
  activityMembers,
);

/** A text that a line of the log must have. */
const filter = (component: string, description: string, example: string) =>
  new Parameter(
    {
      component,
      description,
      schema: { type: 'string', minLength: 1, maxLength: MAX_ACTIVITY_TEXT },
      example,
    },
    {
      rule: `must be a text of 1 to ${MAX_ACTIVITY_TEXT} characters.`,
      parse: (text) => (text !== '' && hasAtMost(text, MAX_ACTIVITY_TEXT) ? text : undefined),
    },
  ).optional();

export const listActivity = operation({
  id: 'listActivity',
  at: 'GET /activity',
  summary: 'List what was changed, and by whom',
  description:
    'Returns the activity log, newest first: every change that management keys and the command line made.',
  access: { role: 'viewer' },
  query: {
    actor: filter('QueryActivityActor', 'Only actions of the key with this id, or of `cli`.', 'cli'),
    action: filter('QueryActivityAction', 'Only actions of this kind.', 'accounts.create'),
    target: filter(
      'QueryActivityTarget',
      'Only actions that changed what has this id.',
      'acc_4fQ2n8Zk1bXw0aLr',
    ),
    since: momentParameter('Only actions at this moment or later.', 'ActivitySince').optional(),
    until: momentParameter('Only actions before this moment.', 'ActivityUntil').optional(),
    limit: LIMIT,
    cursor: cursor<number>({ parse: parseWholeNumber }),
  },
  output: page(ENTRY, { description: 'A page of the log.' }),
  handle: async ({ management }, { query }) => {
    const { actor, action, target, since: sinceMs, until: untilMs, limit, cursor: before } = query;
    const filters = { actor, action, target, sinceMs, untilMs, before };
    const entries = await management.activity.list(onlySet<ActivityQuery>({ ...filters, limit: limit + 1 }));
    return pageOf(entries, limit, ({ id }) => id);
  },
});
