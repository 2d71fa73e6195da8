import { ApiError } from '../../domain/errors.ts';
import { petNotFound } from '../../domain/inventory.ts';
import type { LedgerHead } from '../../domain/ledger.ts';
import type { Ledger, MovementFilter, MovementPage } from '../../domain/ledger-store.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { Store } from '../../domain/store.ts';
import type { Answer } from '../../listen/exchange.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { Operation } from '../request/operation.ts';
import { petIdParameter, sequenceParameter } from '../request/path-parameters.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import type { RequestContext } from '../request/request-context.ts';
import { getMovementRoute, listItemMovementsRoute, listMovementsRoute } from './list-movements-route.ts';
import { movementJson } from './movement-json.ts';
import { type MovementsQuery, readMovementQuery } from './movement-query.ts';

const READING = { scope: 'movements:read', isFree: false } as const;

export function listItemMovements(store: Store, baseUrl: string): Operation {
  return {
    ...READING,
    route: listItemMovementsRoute,
    handle: (context, parameter) => {
      const petId = petIdParameter(parameter('petId'));
      const query = readMovementQuery(context.query, petId);
      return answerMovements(
        context,
        store.ledger,
        query,
        `${baseUrl}/inventory/${petId}/movements`,
        (page) => {
          // Every pet has movements, so that only an empty page leaves the question open.
          if (page.movements.length > 0) return undefined;
          return andThen(store.findItem(petId), (item) => {
            if (!item) throw petNotFound(petId);
          });
        },
      );
    },
  };
}

export function listMovements(store: Store, baseUrl: string): Operation {
  return {
    ...READING,
    route: listMovementsRoute,
    handle: (context) =>
      answerMovements(context, store.ledger, readMovementQuery(context.query), `${baseUrl}/movements`),
  };
}

export function getMovement(store: Store): Operation {
  return {
    ...READING,
    route: getMovementRoute,
    handle: (context, parameter) => {
      requireNoQuery(context);
      const sequence = sequenceParameter(parameter('sequence'));
      return andThen(store.ledger.findMovement(sequence), (movement) => {
        if (!movement) {
          return andThen<LedgerHead, Answer>(store.ledger.retentionStart(), (start) =>
            refuseSequence(sequence, start),
          );
        }
        return context.respond(200, movementJson(movement), {
          'Content-Type': JSON_TYPE,
          'Cache-Control': 'private, no-cache',
        });
      });
    },
  };
}

/** @throws ApiError There never was such a movement, or it is not kept any more. */
function refuseSequence(sequence: number, { sequence: start }: LedgerHead): never {
  throw sequence > start ? noSuchMovement(sequence) : movementPruned(sequence);
}

export function noSuchMovement(sequence: number, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError('not_found', `There is no movement ${sequence}.`, { headers });
}

export function movementPruned(sequence: number, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError('history_pruned', `Movement ${sequence} is not kept any more.`, { headers });
}

function answerMovements(
  context: RequestContext,
  ledger: Ledger,
  { parameters, filter, order, limit }: MovementsQuery,
  address: string,
  check?: (page: MovementPage) => MaybePromise<void>,
): MaybePromise<Answer> {
  return andThen<LedgerHead, Answer>(context.ledgerHead ?? ledger.head(), (head) =>
    andThen(
      both(ledger.listMovements({ filter, order, limit, head }), ledger.retentionStart()),
      ([page, start]) =>
        andThen<void, Answer>(check?.(page), () => {
          const headers: Record<string, string> = {
            'Content-Type': JSON_TYPE,
            'Cache-Control': 'private, no-cache',
            'Inventory-Sequence': String(head.sequence),
          };
          if (isBefore(filter, start)) headers['Ledger-Start'] = String(start.sequence);
          if (page.next !== undefined) {
            parameters.set(order === 'asc' ? 'after' : 'before', String(page.next));
            headers.Link = `<${address}?${parameters}>; rel="next"`;
          }
          return context.respond(200, `[${page.movements.map(movementJson).join(',')}]`, headers);
        }),
    ),
  );
}

/** Whether movements are asked for that may be gone. */
function isBefore({ after = 0, sinceMs }: MovementFilter, start: LedgerHead): boolean {
  return after < start.sequence && (sinceMs === undefined || sinceMs <= start.recordedAtMs);
}

/** Two answers that are waited for at the same time. */
function both<A, B>(first: MaybePromise<A>, second: MaybePromise<B>): MaybePromise<readonly [A, B]> {
  if (first instanceof Promise || second instanceof Promise) return Promise.all([first, second]);
  return [first, second];
}
