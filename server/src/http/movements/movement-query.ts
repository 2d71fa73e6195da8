import { MOVEMENT_KINDS, REASONS } from '@petstore-inventory/shared/words';
import { MOVEMENT_ORDERS, type MovementFilter, type MovementOrder } from '../../domain/ledger-store.ts';
import {
  choiceParameter,
  LIMIT,
  momentParameter,
  queryParameter,
  wholeNumberParameter,
} from '../openapi/parameters.ts';
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

/** The query parameters that all lists of movements have. */
export const MOVEMENT_FILTERS = {
  kind: choiceParameter('kind', 'MovementKind', 'Movements of this kind.'),
  reason: choiceParameter('reason', 'Reason', 'Only movements with this reason.'),
  actor: queryParameter('actor', {
    description:
      'Only movements of the API key with this id, of the operator (`cli`), or of the service (`service`).',
    schema: { type: 'string', pattern: '^(key_[0-9A-Za-z]{16}|cli|service)$' },
    example: 'key_4fQ2n8Zk1bXw0aLr',
  }),
  since: momentParameter('since', 'Only movements recorded at this moment or later.'),
  until: momentParameter('until', 'Only movements recorded before this moment.'),
  after: wholeNumberParameter('after', 'Only movements with a greater sequence.', 4_000),
  before: wholeNumberParameter('before', 'Only movements with a smaller sequence.', 5_000),
  order: choiceParameter(
    'order',
    'MovementOrder',
    'Oldest first (`asc`, the default), or newest first (`desc`).',
  ),
  limit: LIMIT,
};

const NAMES = Object.keys(MOVEMENT_FILTERS);
const NAMES_OF_ALL = [...NAMES, 'petId'];
const ACTOR = /^(?:key_[0-9A-Za-z]{16}|cli|service)$/;

/** A query of movements. */
export interface MovementsQuery {
  readonly parameters: URLSearchParams;
  readonly filter: MovementFilter;
  readonly order: MovementOrder;
  readonly limit: number;
}

/** @param petId The pet in the path. Without it the query may name a pet. */
export function readMovementQuery(query: string, petId?: bigint): MovementsQuery {
  const parameters = readQuery(query, petId === undefined ? NAMES_OF_ALL : NAMES);
  const petIdText = parameters.get('petId');
  const actor = parameters.get('actor') ?? undefined;
  if (actor !== undefined && !ACTOR.test(actor)) {
    throw invalidParameter(
      'actor must be cli, service or the id of an API key: key_ and 16 letters or digits, such as key_4fQ2n8Zk1bXw0aLr.',
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

/** Movements have whole milliseconds, so a bound between two milliseconds is rounded up. */
function wholeMs(atMs: number | undefined): number | undefined {
  return atMs === undefined ? undefined : Math.ceil(atMs);
}
