import { parseEventId } from '../../domain/webhooks/events.ts';
import { endpointJson } from '../../wire/webhook-json.ts';
import { HISTORY_PRUNED } from '../openapi/error-responses.ts';
import { queryParameter } from '../openapi/parameters.ts';
import { responses } from '../openapi/responses.ts';
import { invalidParameter, readQuery } from '../request/query-parameters.ts';
import { endpointIdParameter, readNoBody, respond } from './endpoint-handler.ts';
import { EVENT_ID } from './endpoint-schema.ts';
import { ENDPOINT_BODY_ERRORS, ENDPOINT_ID, ENDPOINT_PATH, ENDPOINT_RESPONSE } from './webhook-document.ts';
import { webhookOperation } from './webhook-operation.ts';
import { authorOf, changed, type OwnerOf } from './webhook-services.ts';

const AFTER = queryParameter('after', {
  component: 'AfterEvent',
  description:
    'The id of an event, such as `815.0-1a2b3c4d`, or its place, such as `815.0`. All later events follow; `0.0` is before all.',
  required: true,
  schema: { type: 'string', pattern: EVENT_ID.pattern },
  example: EVENT_ID.example,
});

export const replayWebhookEvents = (ownerOf: OwnerOf) =>
  webhookOperation({
    route: {
      operationId: 'replayWebhookEvents',
      method: 'post',
      path: `${ENDPOINT_PATH}/replay`,
      tags: ['Webhooks'],
      summary: 'Replay events',
      description:
        'Continues after this event, whatever was delivered: later events are delivered again with the same bytes, and a later place skips those before it. A paused endpoint stays paused.',
      'x-stability': 'beta',
      parameters: [ENDPOINT_ID, AFTER],
      responses: responses({
        success: ENDPOINT_RESPONSE,
        isAction: true,
        errors: { ...ENDPOINT_BODY_ERRORS, 410: HISTORY_PRUNED },
      }),
    },
    create: (services) => async (context, parameter) => {
      const id = endpointIdParameter(parameter('endpointId'));
      const after = parseEventId(readQuery(context.query, ['after']).get('after') ?? '');
      if (!after)
        throw invalidParameter(
          'after must be the id of an event, such as 815.0-1a2b3c4d, or its place, such as 815.0.',
        );
      await readNoBody(context);
      const replayed = services.management.webhooks.replay(id, after, authorOf(context), ownerOf(context));
      return respond(context, 200, endpointJson(await changed(services, replayed)));
    },
  });
