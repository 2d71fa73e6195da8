import { z } from '@hono/zod-openapi';
import { MAX_ACTIVITY_TEXT } from '@petstore-inventory/shared/limits';
import { isStorableText } from '@petstore-inventory/shared/storable-text';
import { ACTION_NAMES, type ActivityQuery } from '../../../domain/management/activity.ts';
import { activityMembers } from '../../../wire/activity-json.ts';
import { NEXT_PAGE } from '../../openapi/headers.ts';
import { CURSOR, LIMIT, momentParameter, queryParameter } from '../../openapi/parameters.ts';
import { responses } from '../../openapi/responses.ts';
import { decodeCursor, encodeCursor } from '../../request/cursor.ts';
import {
  invalidParameter,
  onlySet,
  readLimit,
  readQuery,
  readTimestamp,
} from '../../request/query-parameters.ts';
import { ActorSchema } from '../../schemas/actor.ts';
import { moment, REQUEST_ID_PATTERN } from '../../schemas/values.ts';
import { ADMIN_ERRORS, adminOperation, respondJson } from '../admin-operation.ts';

const FILTERS = ['actor', 'action', 'target'] as const;
const NAMES = [...FILTERS, 'since', 'until', 'limit', 'cursor'];

const filter = (name: (typeof FILTERS)[number], description: string, example: string) =>
  queryParameter(name, {
    component: `QueryActivity${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    description,
    schema: { type: 'string', minLength: 1, maxLength: MAX_ACTIVITY_TEXT },
    example,
  });

/** New actions must not break generated clients, so the list is not an `enum`. */
const ActionSchema = z.string().openapi('ActivityAction', {
  pattern: '^[a-z-]{1,40}\\.[a-z-]{1,40}$',
  description: 'What was done: a group and a verb. `x-actions` lists all; more may be added.',
  example: 'accounts.create',
  'x-actions': ACTION_NAMES,
});

const ActivitySchema = z
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
      description: 'The new values with the names of their fields, without secrets. Members may be added.',
    }),
  })
  .openapi('ActivityEntry', { description: 'A line of the activity log.' });

export const listActivity = adminOperation({
  route: {
    operationId: 'listActivity',
    method: 'get',
    path: '/activity',
    tags: ['System'],
    summary: 'List what was changed, and by whom',
    description:
      'Returns the activity log, newest first: every change that management keys and the command line made.',
    'x-stability': 'beta',
    parameters: [
      filter('actor', 'Only actions of the key with this id, or of `cli`.', 'cli'),
      filter('action', 'Only actions of this kind.', 'accounts.create'),
      filter('target', 'Only actions that changed what has this id.', 'acc_4fQ2n8Zk1bXw0aLr'),
      momentParameter('since', 'Only actions at this moment or later.', 'Activity'),
      momentParameter('until', 'Only actions before this moment.', 'Activity'),
      LIMIT,
      CURSOR,
    ],
    responses: responses({
      success: {
        schema: z.array(ActivitySchema).openapi({ maxItems: 1_000 }),
        description: 'A page of the log.',
        headers: NEXT_PAGE,
      },
      errors: ADMIN_ERRORS,
    }),
  },
  role: 'viewer',
  create:
    ({ management, baseUrl }) =>
    async (context) => {
      const { parameters, query } = readActivityQuery(context.query);
      const { limit } = query;
      const entries = await management.activity.list({ ...query, limit: limit + 1 });
      const shown = entries.slice(0, limit);
      const last = shown.at(-1);
      const headers: Record<string, string> = {};
      if (last !== undefined && entries.length > limit) {
        parameters.set('cursor', encodeCursor(last.id));
        headers.Link = `<${baseUrl}/activity?${parameters}>; rel="next"`;
      }
      return respondJson(context, 200, shown.map(activityMembers), headers);
    },
});

function readActivityQuery(query: string): { parameters: URLSearchParams; query: ActivityQuery } {
  const parameters = readQuery(query, NAMES);
  const [actor, action, target] = FILTERS.map((name) => readFilter(parameters, name));
  const cursor = parameters.get('cursor');
  return {
    parameters,
    query: onlySet<ActivityQuery>({
      actor,
      action,
      target,
      sinceMs: readTimestamp(parameters, 'since'),
      untilMs: readTimestamp(parameters, 'until'),
      before: cursor === null ? undefined : readCursor(cursor),
      limit: readLimit(parameters),
    }),
  };
}

function readFilter(parameters: URLSearchParams, name: (typeof FILTERS)[number]): string | undefined {
  const value = parameters.get(name);
  if (value === null) return undefined;
  if (value !== '' && value.length <= MAX_ACTIVITY_TEXT && isStorableText(value)) return value;
  throw invalidParameter(`${name} must be a text of 1 to ${MAX_ACTIVITY_TEXT} characters.`);
}

function readCursor(cursor: string): number {
  const id = Number(decodeCursor(cursor));
  if (Number.isSafeInteger(id)) return id;
  throw invalidParameter('cursor must come from the Link header of the page before.');
}
