import { z } from '@hono/zod-openapi';
import { parseWholeNumber } from '@petstore-inventory/shared/numeral';
import type { Principal } from '../../domain/access/principal.ts';
import { accessEndsAtMs } from '../../domain/access/sessions.ts';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import type { Ledger } from '../../domain/ledger-store.ts';
import type { Answer } from '../../listen/exchange.ts';
import { component, schemaAt } from '../openapi/components.ts';
import { HISTORY_PRUNED } from '../openapi/error-responses.ts';
import { ACCEL_BUFFERING } from '../openapi/headers.ts';
import { operationsWith, type RequestHeaders } from '../operation/operation.ts';
import { answered } from '../operation/output.ts';
import { invalidParameter, wholeNumber } from '../operation/parameter.ts';
import { EVENT_STREAM_TYPE } from '../request/content-negotiation.ts';
import type { RequestContext } from '../request/request-context.ts';
import { sentValue } from '../request/sent-value.ts';
import type { LiveHub } from './live-hub.ts';
import { historyPruned } from './stream-errors.ts';

const EXAMPLE = `retry: 2000
id: 41

id: 42
event: movement
data: {"sequence":42,"petId":7,"version":4,"kind":"adjust","delta":-2,"quantityBefore":14,"quantityAfter":12,"statusBefore":"available","statusAfter":"available","reservedBefore":0,"reservedAfter":0,"alertBefore":null,"alertAfter":null,"alert":null,"orderId":null,"reason":"damaged","note":null,"referenceDocumentUri":null,"referenceId":null,"occurredAt":null,"recordedAt":"2026-07-01T12:00:00.000Z","actor":{"keyId":"key_4fQ2n8Zk1bXw0aLr","name":"till 2"},"requestId":"mxmjw-up-2s","revertedSequence":null,"previousSequence":17,"hash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}

`;

const EVENTS = z.string().openapi({
  description:
    'Server-sent events (WHATWG HTML standard, section 9.2). `movement`: the id is the sequence, the data is a `Movement`. `end`: the data is an `Error`, and the stream ends after it. Ignore comments (lines that begin with a colon) and unknown fields.',
  example: EXAMPLE,
});

const DESCRIPTION = `Sends every movement as a server-sent event as soon as it is committed by any instance: in the order of sequences, without a gap or a repetition.

The stream begins with \`retry\` and an \`id\`. Then each movement is one event:

    id: 42
    event: movement
    data: {"sequence":42,"petId":7,…}

To resume after a stream ended, wait for the milliseconds of \`retry\`, then send the last \`id\` as \`Last-Event-ID\` (standard clients do both) or as \`after\`. Without either the stream begins with the first movement after the request.

After 15 seconds without an event the stream sends a comment.

An event \`end\` has the reason why a stream ends:

- \`service_unavailable\`: the service restarts, the client has read nothing for 30 seconds, or a restored backup replaced the ledger: the message says which.
- \`revoked_api_key\` or \`expired_api_key\`, and of a session \`session_ended\`: sent at most 5 seconds later.
- \`history_pruned\`: the operator has deleted the next movement.

A stream counts as one request. An account, or a management key, may have as many streams per instance as it may send requests per minute, but at most a quarter of the instance’s streams. One more stream returns 503 \`service_unavailable\`, and so does a stream on an instance that stops.`;

const AFTER = wholeNumber({
  component: 'StreamAfter',
  description: 'The sequence after which the stream begins. `Last-Event-ID` takes precedence.',
  schema: schemaAt('WholeNumber'),
  example: 41,
}).optional();

const LAST_EVENT_ID: RequestHeaders<number | undefined> = {
  documented: [
    component('parameters', 'LastEventId', {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'The `id` of the last event that the client has.',
      schema: schemaAt('WholeNumber'),
      example: 41,
    }),
  ],
  errors: {},
  read: (context) => {
    const text = context.header('last-event-id');
    if (text === null) return undefined;
    const sequence = parseWholeNumber(text);
    if (sequence !== undefined) return sequence;
    throw invalidParameter(
      `Last-Event-ID must be the id of an event, a whole number such as 41.${sentValue(text)}`,
    );
  },
};

const operation = operationsWith<{
  readonly store: { readonly ledger: Ledger };
  readonly live: Pick<LiveHub, 'open'>;
}>({ tag: 'Movements' });

export const streamMovements = operation({
  id: 'streamMovements',
  at: 'GET /movements/stream',
  summary: 'Follow movements live',
  description: DESCRIPTION,
  access: { scope: 'movements:read' },
  produces: EVENT_STREAM_TYPE,
  query: { after: AFTER },
  headers: LAST_EVENT_ID,
  output: answered({
    schema: EVENTS,
    mediaTypes: [EVENT_STREAM_TYPE],
    description: 'Events, until the client disconnects.',
  }),
  everyResponse: ACCEL_BUFFERING,
  errors: {
    410: { ...HISTORY_PRUNED, description: 'The operator has pruned the movements after the sequence.' },
  },
  handle: async ({ store: { ledger }, live }, { context, query, headers: lastEventId }) => {
    // A client that reconnects sends its first address again, and the header.
    const after = lastEventId ?? query.after;
    const head = context.ledgerHead ?? (await ledger.head());
    if (after !== undefined) await requireKept(ledger, after, head);
    return answer(context, live, after ?? head.sequence, head);
  },
});

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
  const principal = context.principal as Principal;
  const { account, key } = principal;
  const client = {
    peer: context.request,
    credential: context.credential,
    expiresAtMs: accessEndsAtMs(principal),
    holder: key.role === null ? account.id : key.id,
    planLimit: account.limits.perMinute,
  };
  const stream = live.open(after, head, client);
  // A later request on the connection would wait for the end of the stream.
  context.closes = true;
  return context.respond(200, stream, headers);
}

/** Rejects a sequence that does not exist yet, and one whose next movement is deleted. */
async function requireKept(ledger: Ledger, after: number, head: LedgerHead): Promise<void> {
  if (after > head.sequence) {
    throw invalidParameter(`Movement ${after} does not exist yet. The newest is ${head.sequence}.`);
  }
  const start = await ledger.retentionStart();
  if (after < start.sequence) throw historyPruned(after);
}
