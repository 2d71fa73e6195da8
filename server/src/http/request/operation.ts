import type { RouteConfig } from '@hono/zod-openapi';
import type { Scope } from '../../domain/api-key.ts';
import { ApiError } from '../../domain/errors.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Answer } from '../../listen/exchange.ts';
import { type AnswerType, requireAccepted } from './content-negotiation.ts';
import { withPreconditions } from './preconditions.ts';
import type { RequestContext } from './request-context.ts';

/** One operation of the interface: how the document describes it, what it asks of a key, and what it does. */
export interface Operation {
  readonly route: RouteConfig & { readonly operationId: string };
  /** The scope a key must have; `null` where any key will do. */
  readonly scope: Scope | null;
  /** Whether it is answered without taking from the quota, and to banned keys too. */
  readonly isFree: boolean;
  /** What it answers with; `application/json` when left out. */
  readonly produces?: AnswerType;
  /** Headers on each of its responses, errors included. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly handle: (context: RequestContext, parameter: (name: string) => string) => MaybePromise<Answer>;
}

/** What comes between the route and the operation: its headers, the key's scope, and the Accept header. */
export function perform(
  operation: Operation,
  context: RequestContext,
  parameter: (name: string) => string,
): MaybePromise<Answer> {
  context.operation = operation.route.operationId;
  context.operationHeaders = operation.headers;
  if (operation.scope !== null && !context.principal?.key.scopes.includes(operation.scope)) {
    throw insufficientScope(operation.scope);
  }
  requireAccepted(context.header('accept'), operation.produces ?? 'application/json');
  const answer = () => operation.handle(context, parameter);
  return operation.route.method === 'get' ? withPreconditions(context, answer) : answer();
}

function insufficientScope(scope: Scope): ApiError {
  return new ApiError('insufficient_scope', `This API key lacks the scope ${scope}.`, {
    headers: { 'WWW-Authenticate': `Bearer realm="petstore", error="insufficient_scope", scope="${scope}"` },
  });
}
