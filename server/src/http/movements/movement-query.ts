import { MOVEMENT_KINDS, REASONS } from '../../domain/ledger.ts';
import { MOVEMENT_ORDERS, type MovementFilter, type MovementOrder } from '../../domain/ledger-store.ts';
import { petIdParameter } from '../request/path-parameters.ts';
import {
  invalidParameter,
  onlySet,
  readChoice,
  readInteger,
  readLimit,
  readQuery,
  readTimestamp,
} from '../request/query-parameters.ts';

const NAMES = ['kind', 'reason', 'actor', 'since', 'until', 'after', 'before', 'order', 'limit'];
const NAMES_OF_ALL = [...NAMES, 'petId'];
const ACTOR = /^(?:key_[0-9A-Za-z]{16}|cli)$/;

/** What a query asks of the ledger. */
export interface MovementsQuery {
  readonly parameters: URLSearchParams;
  readonly filter: MovementFilter;
  readonly order: MovementOrder;
  readonly limit: number;
}

/** Reads a query for the movements of one pet, or, without one, of all or the one that it names. */
export function readMovementQuery(query: string, petId?: bigint): MovementsQuery {
  const parameters = readQuery(query, petId === undefined ? NAMES_OF_ALL : NAMES);
  const petIdText = parameters.get('petId');
  const actor = parameters.get('actor') ?? undefined;
  if (actor !== undefined && !ACTOR.test(actor)) {
    throw invalidParameter(
      'actor must be the id of an API key, key_ and 16 letters or digits such as key_4fQ2n8Zk1bXw0aLr, or cli.',
    );
  }
  return {
    parameters,
    filter: onlySet<MovementFilter>({
      petId: petId ?? (petIdText === null ? undefined : petIdParameter(petIdText)),
      kind: readChoice(parameters, 'kind', MOVEMENT_KINDS),
      reason: readChoice(parameters, 'reason', REASONS),
      actor,
      sinceMs: wholeMs(readTimestamp(parameters, 'since')),
      untilMs: wholeMs(readTimestamp(parameters, 'until')),
      after: readInteger(parameters, 'after'),
      before: readInteger(parameters, 'before'),
    }),
    order: readChoice(parameters, 'order', MOVEMENT_ORDERS) ?? 'asc',
    limit: readLimit(parameters),
  };
}

/** Movements have whole milliseconds, so that a bound between two of them is the later one. */
function wholeMs(atMs: number | undefined): number | undefined {
  return atMs === undefined ? undefined : Math.ceil(atMs);
}
