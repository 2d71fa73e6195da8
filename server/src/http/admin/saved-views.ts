import { z } from '@hono/zod-openapi';
import { MAX_SAVED_VIEWS, MAX_VIEW_NAME, MAX_VIEW_QUERY } from '@petstore-inventory/shared/limits';
import { mappingNameFault } from '@petstore-inventory/shared/pet-file/mapping';
import { DENSITIES, VIEW_LISTS } from '@petstore-inventory/shared/words';
import type { ManagementStore } from '../../domain/admin-store.ts';
import type { SavedView, SavedViews } from '../../domain/management/saved-views.ts';
import { component, schemaAt } from '../openapi/components.ts';
import { errorComponent } from '../openapi/error-responses.ts';
import { header } from '../openapi/headers.ts';
import { ENTITY_TAG } from '../openapi/value-schemas.ts';
import { body } from '../operation/body.ts';
import { operationsWith, type RequestHeaders } from '../operation/operation.ts';
import { one, type ResponseHeader, tagged, view } from '../operation/output.ts';
import { type EntityTags, readEntityTags } from '../request/entity-tags.ts';
import { MAX_BODY_BYTES } from '../request/json-body.ts';
import { bodyObject } from './fields.ts';

const operation = operationsWith<{ readonly management: ManagementStore }>({ tag: 'Sessions' });

/** Room for `MAX_SAVED_VIEWS` views of the greatest length, as `JSON.stringify` writes them. */
const MAX_VIEWS_BYTES = 4 * MAX_BODY_BYTES;

const QUERY_RULE = `must be the query of an address without its question mark: up to ${MAX_VIEW_QUERY} visible ASCII characters.`;

const ViewSchema = z
  .strictObject({
    name: z
      .string()
      .superRefine((name, context) => {
        const fault = mappingNameFault(name);
        if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
      })
      .openapi({ maxLength: MAX_VIEW_NAME, description: 'Its name.', example: 'Cats that are low' }),
    list: z
      .enum(VIEW_LISTS, `must be one of ${VIEW_LISTS.join(', ')}.`)
      .openapi({ description: 'The list that it shows.', example: 'stock' }),
    query: z
      .string(QUERY_RULE)
      .max(MAX_VIEW_QUERY, QUERY_RULE)
      .regex(/^[!-~]*$/, QUERY_RULE)
      .openapi({
        description: 'Search, filters and order, as in the address of the list.',
        example: 'category=Cats&alert=low&sort=-available',
      }),
    density: z
      .enum(DENSITIES, `must be one of ${DENSITIES.join(', ')}, or null.`)
      .nullable()
      .openapi({ description: 'How high rows are; `null`: as the browser has it.', example: 'dense' }),
    isDefault: z
      .boolean('must be true or false.')
      .openapi({ description: 'Whether the list opens with it.', example: false }),
  })
  .openapi('SavedView', { description: 'What a person shows of a list, under a name.' });

const LIST_RULE = `must be an array of up to ${MAX_SAVED_VIEWS} views.`;
const views = z
  .array(ViewSchema, LIST_RULE)
  .max(MAX_SAVED_VIEWS, LIST_RULE)
  .openapi({
    description: `The views, up to ${MAX_SAVED_VIEWS}, in the order of the person.`,
    maxItems: MAX_SAVED_VIEWS,
  });

const VIEWS = view(
  'SavedViews',
  z.object({ views }).openapi({ description: 'The saved views of a person.' }),
  ({ views: all }: SavedViews) => ({ views: all }),
);

const ReplacementSchema = bodyObject({ views })
  .superRefine(({ views: all }, context) => {
    const names = new Set<string>();
    const defaults = new Set<string>();
    for (const [index, { list, name, isDefault }] of all.entries()) {
      const key = `${list} ${name.toLowerCase()}`;
      if (names.has(key)) {
        const message = 'must differ from the names of the other views of the list.';
        context.addIssue({ code: 'custom', path: ['views', index, 'name'], message });
      }
      if (isDefault && defaults.has(list)) {
        const message = 'must be true for one view of the list at most.';
        context.addIssue({ code: 'custom', path: ['views', index, 'isDefault'], message });
      }
      names.add(key);
      if (isDefault) defaults.add(list);
    }
  })
  .openapi('SavedViewsReplacement', {
    description: 'All views of the person.',
    example: {
      views: [
        {
          name: 'Cats that are low',
          list: 'stock',
          query: 'category=Cats&alert=low',
          density: null,
          isDefault: false,
        },
      ],
    },
  });

const VIEWS_TAG = header('ETag', 'SavedViewsTag', {
  description: 'Identifies the state of the views.',
  required: true,
  schema: ENTITY_TAG,
  example: '"3-pEUrZS6CoVZkldv-"',
});

const READ_TAG = tagged(({ tag }: SavedViews) => `"${tag}"`, VIEWS_TAG);
const TAG: ResponseHeader<SavedViews> = { documented: VIEWS_TAG, of: READ_TAG.of };

const CONDITION: RequestHeaders<{ readonly ifMatch: EntityTags | undefined }> = {
  documented: [
    component('parameters', 'SavedViewsIfMatch', {
      name: 'If-Match',
      in: 'header',
      description:
        '`ETag`s of the views, or `*`: unless one matches, nothing changes and the response is 412.',
      schema: schemaAt('EntityTags'),
      example: '"3-pEUrZS6CoVZkldv-"',
    }),
  ],
  errors: {
    412: errorComponent('SavedViewsUnmet', { description: 'The views are not those that `If-Match` names.' }),
  },
  read: (context) => ({ ifMatch: readEntityTags(context, 'If-Match') }),
};

export const getSavedViews = operation({
  id: 'getSavedViews',
  at: 'GET /saved-views',
  summary: 'Get the saved views of this person',
  description:
    'Returns what the person of this management key saved of the lists of the dashboard. A key that replaced another one by rotation has its views.',
  access: { role: 'viewer' },
  output: one(VIEWS, {
    description: 'The views.',
    headers: [READ_TAG],
    notModified: 'SavedViewsNotModified',
  }),
  handle: ({ management }, { author }) => management.savedViews.read(author.actor),
});

export const setSavedViews = operation({
  id: 'setSavedViews',
  at: 'PUT /saved-views',
  summary: 'Replace the saved views of this person',
  description:
    'Replaces all views, so that one request adds, renames, orders and deletes. Send `If-Match` with the `ETag` of the views that were read: another browser may have changed them. A name is unique per list, whatever its case, and one view per list is the default at most.',
  access: { role: 'viewer' },
  headers: CONDITION,
  body: body(ReplacementSchema, { maxBytes: MAX_VIEWS_BYTES }),
  output: one(VIEWS, { description: 'The views.', headers: [TAG] }),
  handle: ({ management }, { body: sent, headers: { ifMatch }, author }) =>
    management.savedViews.replace(author.actor, sent.views satisfies readonly SavedView[], ifMatch),
});
