import type { Principal } from '../../domain/api-key.ts';
import type { LedgerHead } from '../../domain/ledger.ts';
import type { Ledger } from '../../domain/ledger-store.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { Answer } from '../../listen/exchange.ts';
import { EVENT_STREAM_TYPE } from '../request/content-negotiation.ts';
import type { Operation } from '../request/operation.ts';
import { invalidParameter, readInteger, readQuery } from '../request/query-parameters.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { LiveHub } from './live-hub.ts';
import { historyPruned } from './stream-errors.ts';
import { streamMovementsRoute } from './stream-movements-route.ts';

const SEQUENCE = /^(?:0|[1-9]\d{0,15})$/;

/** Tells movements as they are committed, as server-sent events. */
export function streamMovements(store: { readonly ledger: Ledger }, live: Pick<LiveHub, 'open'>): Operation {
  return {
    route: streamMovementsRoute,
    scope: 'movements:read',
    isFree: false,
    produces: EVENT_STREAM_TYPE,
    handle: (context) => {
      const after = sequenceToResume(context);
      const { ledger } = store;
      return andThen(context.ledgerHead ?? ledger.head(), (head) =>
        andThen(requireKept(ledger, after, head), () => answer(context, live, after, head)),
      );
    },
  };
}

function answer(
  context: RequestContext,
  live: Pick<LiveHub, 'open'>,
  after: number | undefined,
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
  const stream = live.open(after ?? head.sequence, head, client);
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
  const sequence = SEQUENCE.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  if (Number.isSafeInteger(sequence)) return sequence;
  throw invalidParameter('Last-Event-ID must be the id of an event, a whole number such as 41.');
}

/** Refuses a sequence that the ledger has not reached, and one whose successors are gone. */
function requireKept(ledger: Ledger, after: number | undefined, head: LedgerHead): MaybePromise<void> {
  if (after === undefined) return;
  if (after > head.sequence) {
    throw invalidParameter(`There is no movement ${after} yet; the newest is ${head.sequence}.`);
  }
  return andThen(ledger.retentionStart(), (start) => {
    if (after < start.sequence) throw historyPruned(after);
  });
}
