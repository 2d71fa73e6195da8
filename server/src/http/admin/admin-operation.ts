import type { Role } from '@petstore-inventory/shared/words';
import type { KeySecrets } from '../../domain/actions/keys.ts';
import { bigintAsDigits } from '../../domain/bigint-json.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import type { Answer } from '../../listen/exchange.ts';
import type { Authenticator } from '../access/authenticator.ts';
import type { SessionGate } from '../access/session-gate.ts';
import type { Reference } from '../openapi/components.ts';
import {
  ACTION_CONFLICT,
  BODY_TOO_LARGE,
  type ErrorResponses,
  ITEM_WRITE,
  NOT_FOUND,
  ROLE_FORBIDDEN,
} from '../openapi/error-responses.ts';
import type { Services } from '../operations.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { refusing } from '../request/operator-refusal.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { Importing } from './imports.ts';
import type { Verifier } from './ledger.ts';
import type { OpenExports } from './open-exports.ts';
import type { TotalsCounter } from './overview/counted-totals.ts';
import type { SystemFacts } from './system.ts';

/** What the handlers of the management API need. */
export interface AdminServices extends Services {
  /** What the secrets of new keys are made with. */
  readonly secrets: KeySecrets;
  readonly facts: SystemFacts;
  readonly totals: TotalsCounter;
  readonly verifier: Verifier;
  readonly importing: Importing;
  readonly openExports: OpenExports;
  /** Checks management keys. */
  readonly authenticator: Authenticator;
  readonly sessions: SessionGate;
}

/** Who may use an operation: the holders of a role, or everyone. */
type Access = { readonly role: Role } | { readonly isOpen: true };

type Definition = Omit<OperationDefinition<AdminServices>, 'role' | 'isOpen'>;
export type AdminDefinition = Definition & Access;

/** Defines an operation of the management API. An `OperatorError` of its handler becomes a response with its code. */
export function adminOperation({
  create,
  ...description
}: Omit<Definition, 'scope'> & Access): AdminDefinition {
  return { ...description, scope: null, create: (services) => refusing(create(services)) };
}

/** The author of an action, for the activity log. */
export function authorOf({ principal, requestId }: RequestContext): ActionAuthor {
  if (!principal) throw new Error('An action needs a key.');
  return { actor: principal.key.id, requestId };
}

/** Errors of each operation of the management API. */
export const ADMIN_ERRORS: ErrorResponses = ROLE_FORBIDDEN;

const { 408: REQUEST_TIMEOUT, 415: UNSUPPORTED_TYPE } = ITEM_WRITE as Record<408 | 415, Reference>;

/** Errors of an action with a JSON body. */
export const ACTION_ERRORS: ErrorResponses = {
  ...ADMIN_ERRORS,
  408: REQUEST_TIMEOUT,
  409: ACTION_CONFLICT,
  413: BODY_TOO_LARGE,
  415: UNSUPPORTED_TYPE,
};

/** 404 of an operation on one resource. @param thing Such as `account`. */
export function missing(thing: string): ErrorResponses {
  return { 404: { ...NOT_FOUND, description: `There is no such ${thing}.` } };
}

/** A response with a body that must not be stored. */
export function respondJson(
  context: RequestContext,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Answer {
  return context.respond(status, JSON.stringify(body, bigintAsDigits), {
    'Content-Type': JSON_TYPE,
    'Cache-Control': 'no-store',
    ...headers,
  });
}
