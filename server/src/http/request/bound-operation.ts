import type { RouteConfig } from '@hono/zod-openapi';
import { shownValue } from '@petstore-inventory/shared/shown-value';
import type { Role } from '@petstore-inventory/shared/words';
import type { Scope } from '../../domain/access/api-key.ts';
import type { Principal } from '../../domain/access/principal.ts';
import { includesRole } from '../../domain/access/roles.ts';
import { ApiError } from '../../domain/errors.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Answer } from '../../listen/exchange.ts';
import { type AnswerType, requireAccepted } from './content-negotiation.ts';
import { withPreconditions } from './preconditions.ts';
import type { RequestContext } from './request-context.ts';

/** The description of an operation. It needs no services: the OpenAPI document is generated from it alone. */
export interface OperationDescription {
  readonly route: RouteConfig & { readonly operationId: string };
  /** The scope that a key must have; `null`: none. */
  readonly scope: Scope | null;
  /** The role that a management key must have or include. Only operations of the management API have one. */
  readonly role?: Role;
  /** Whether it requires no credential; `false` by default. */
  readonly isOpen?: boolean;
  /** Whether its costs grow with the ledger or a file, so that it has a smaller limit; `false` by default. */
  readonly isCostly?: boolean;
  /** Whether it does not count against the quota, and is open to banned keys; `false` by default. */
  readonly isFree?: boolean;
  /** The type of its responses; `application/json` by default. */
  readonly produces?: AnswerType;
  /** Headers of each of its responses, errors included. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export type OperationHandler = (
  context: RequestContext,
  parameter: (name: string) => string,
) => MaybePromise<Answer>;

/** An operation without its services: the description, and a factory of the handler. */
export interface OperationDefinition<Services> extends OperationDescription {
  readonly create: (services: Services) => OperationHandler;
}

/** An operation with its handler. */
export interface BoundOperation extends OperationDescription {
  readonly handle: OperationHandler;
}

export function bindOperation<Services>(
  { create, ...description }: OperationDefinition<Services>,
  services: Services,
): BoundOperation {
  return { ...description, handle: create(services) };
}

/** Runs an operation after its checks: the scope of the key, `Accept`, and the preconditions of a read. */
export function perform(
  operation: BoundOperation,
  context: RequestContext,
  parameter: (name: string) => string,
): MaybePromise<Answer> {
  context.operation = operation.route.operationId;
  context.pathPattern = operation.route.path;
  context.operationHeaders = operation.headers;
  if (operation.scope !== null) requireScope(context, operation.scope);
  const { role } = operation;
  if (role !== undefined && !includesRole(context.principal?.key.role, role)) {
    throw insufficientRole(role, context.principal);
  }
  requireAccepted(context.header('accept'), operation.produces ?? 'application/json');
  const answer = () => operation.handle(context, parameter);
  return operation.route.method === 'get' ? withPreconditions(context, answer) : answer();
}

/** @throws ApiError `insufficient_scope` for a key without the scope. */
export function requireScope({ principal }: Pick<RequestContext, 'principal'>, scope: Scope): void {
  if (!principal?.key.scopes.includes(scope)) throw insufficientScope(scope, principal);
}

function insufficientScope(scope: Scope, principal: Principal | undefined): ApiError {
  const has = principal?.key.scopes.join(', ') || 'none';
  return insufficient(`Key ${nameOf(principal)} has the scopes ${has}; this needs ${scope}.`, scope);
}

function insufficientRole(role: Role, principal: Principal | undefined): ApiError {
  const has = principal?.key.role ?? 'none';
  return insufficient(`Key ${nameOf(principal)} has the role ${has}; this needs ${role}.`, role);
}

function nameOf(principal: Principal | undefined): string {
  return shownValue(principal?.key.name ?? '');
}

/** A challenge with the scope that would do (RFC 6750 section 3.1). */
function insufficient(message: string, scope: Scope | Role): ApiError {
  return new ApiError('insufficient_scope', message, {
    headers: { 'WWW-Authenticate': `Bearer realm="petstore", error="insufficient_scope", scope="${scope}"` },
  });
}
