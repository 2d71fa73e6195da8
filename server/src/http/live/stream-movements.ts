import { z } from '@hono/zod-openapi';
import type { Principal } from '../../domain/api-key.ts';
import type { LedgerHead } from '../../domain/ledger.ts';
import type { Ledger } from '../../domain/ledger-store.ts';
import { parseWholeNumber } from '../../domain/numeral.ts';
import type { Answer } from '../../listen/exchange.ts';
import { schemaAt } from '../openapi/components.ts';
import { FORBIDDEN, HISTORY_PRUNED, NOT_ACCEPTABLE } from '../openapi/error-responses.ts';
import { ACCEL_BUFFERING } from '../openapi/headers.ts';
import { LAST_EVENT_ID, queryParameter } from '../openapi/parameters.ts';
import { responses } from '../openapi/responses.ts';
import { EVENT_STREAM_TYPE } from '../request/content-negotiation.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { invalidParameter, readInteger, readQuery } from '../request/query-parameters.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { LiveHub } from './live-hub.ts';
import { historyPruned } from './stream-errors.ts';

const EVENTS = z.string().openapi({
  description:
    'Events as the WHATWG HTML standard, section 9.2, has them. `movement`: its id is the sequence, its data the same JSON as a row of `GET /movements`. `end`: its data is an `Error`, and the stream ends after it. Comments (lines that begin with a colon) and fields that are not known are to be passed over.',
  example: 'id: 42\nevent: movement\ndata: {"sequence":42,"petId":7}\n\n',
});

const DESCRIPTION = `Tells every movement as soon as it is committed, through whichever instance, as server-sent events: in the order of their sequences, without a gap, none twice.

The stream begins with \`retry\` and an \`id\` of its own, then each movement is one event:

    id: 42
    event: movement
    data: {"sequence":42,"petId":7,…}

To go on where a stream ended, send the last \`id\` as \`Last-Event-ID\` (clients of the standard do so by themselves) or as \`after\`. Without either it begins with what is committed after the request.

After 15 seconds of silence there is a comment. An event \`end\` says why a stream ends: \`service_unavailable\` when the service restarts, or when the client left alone for 30 seconds what there was for it; \`revoked_api_key\` or \`expired_api_key\` within 5 seconds of that; \`history_pruned\` when what comes next is not kept any more. A stream counts as one request. An account may have as many streams open at an instance as its plan has requests per minute, but no more than a quarter of the streams of the instance; one more is 503 \`service_unavailable\`.`;

const AFTER = queryParameter('after', {
  component: 'StreamAfter',
  description: 'The sequence after which the stream begins; `Last-Event-ID` wins over it.',
  schema: schemaAt('WholeNumber'),
  example: 41,
});

const ERRORS = {
  ...FORBIDDEN,
  406: { ...NOT_ACCEPTABLE, description: 'The client does not accept `text/event-stream`.' },
  410: { ...HISTORY_PRUNED, description: 'The operator has pruned the movements after the sequence.' },
};

interface Services {
  readonly store: { readonly ledger: Ledger };
  readonly live: Pick<LiveHub, 'open'>;
}

export const streamMovements: OperationDefinition<Services> = {
  route: {
    operationId: 'streamMovements',
    method: 'get',
    path: '/movements/stream',
    tags: ['Movements'],
    summary: 'Follow movements live',
    description: DESCRIPTION,
    'x-stability': 'beta',
    parameters: [AFTER, LAST_EVENT_ID],
    'x-response-headers': ACCEL_BUFFERING,
    responses: responses({
      success: {
        schema: EVENTS,
        mediaType: EVENT_STREAM_TYPE,
        description: 'Events, until the client disconnects.',
        headers: ACCEL_BUFFERING,
      },
      errors: ERRORS,
    }),
  },
  scope: 'movements:read',
  produces: EVENT_STREAM_TYPE,
  create:
    ({ store: { ledger }, live }) =>
    async (context) => {
      const after = sequenceToResume(context);
      const head = context.ledgerHead ?? (await ledger.head());
      if (after !== undefined) await requireKept(ledger, after, head);
      return answer(context, live, after ?? head.sequence, head);
    },
};

function answer(
  context: RequestContext,
  live: Pick<LiveHub, 'open'>,
  after: number,
  head: LedgerHead,
): Answer {
  const headers = {
    'Content-Type': EVENT_STREAM_TYPE,
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  };
  if (context.isHead) return context.respond(200, null, headers);
  const { key, account } = context.principal as Principal;
  const client = {
    peer: context.request,
    authorization: context.header('authorization'),
    expiresAtMs: key.expiresAtMs,
    accountId: account.id,
    planLimit: account.limits.perMinute,
  };
  const stream = live.open(after, head, client);
  // What comes after it on a connection would wait for its end.
  context.closes = true;
  return context.respond(200, stream, headers);
}

/** The sequence after which a client wants to go on; `undefined` when it wants what is new from now on. */
function sequenceToResume(context: RequestContext): number | undefined {
  const after = readInteger(readQuery(context.query, ['after']), 'after');
  const lastEventId = context.header('last-event-id');
  if (lastEventId === null) return after;
  // A client that connects again by itself sends the address that it began with, and the header.
  const sequence = parseWholeNumber(lastEventId);
  if (sequence !== undefined) return sequence;
  throw invalidParameter('Last-Event-ID must be the id of an event, a whole number such as 41.');
}

/** Refuses a sequence that the ledger has not reached, and one whose successors are gone. */
async function requireKept(ledger: Ledger, after: number, head: LedgerHead): Promise<void> {
  if (after > head.sequence) {
    throw invalidParameter(`There is no movement ${after} yet; the newest is ${head.sequence}.`);
  }
  const start = await ledger.retentionStart();
  if (after < start.sequence) throw historyPruned(after);
}
