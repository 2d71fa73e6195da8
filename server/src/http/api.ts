import { ApiError } from '../domain/errors.ts';
import { andThen, type MaybePromise } from '../domain/maybe-promise.ts';
import type { Answer } from '../listen/exchange.ts';
import type { AddressGuard } from './access/address-guard.ts';
import type { Authenticator, AuthResult } from './access/authenticator.ts';
import type { SessionGate } from './access/session-gate.ts';
import { isAllowedPreflight, preflightHeaders } from './request/cors.ts';
import type { Credential, RequestContext } from './request/request-context.ts';
import type { Routes } from './router.ts';

interface ApiParts {
  readonly routes: Routes;
  readonly authenticator: Authenticator;
  /** Where sessions stand for keys. */
  readonly sessions?: SessionGate;
  /** The limit of callers without a valid key. */
  readonly address: AddressGuard;
  /** Charges the limits of the caller's key, and sets the windows. @throws ApiError when the request is refused. */
  readonly admit: (context: RequestContext) => MaybePromise<void>;
}

/** One interface with its operations. It authenticates the caller, charges the limits, and runs the operation. */
export class Api {
  readonly #parts: ApiParts;

  constructor(parts: ApiParts) {
    this.#parts = parts;
  }

  answer(context: RequestContext): MaybePromise<Answer> {
    const { routes, address, sessions } = this.#parts;
    // Not counted: a browser sends one per address, and a page of many addresses would use up the limit.
    if (isAllowedPreflight(context) && routes.allowedMethods(context.path).length > 0) {
      address.show(context);
      return this.#answerOptions(context);
    }
    // Only the interface with sessions has an open operation, the sign-in. It has a limit of its own: requests without
    // a key from a shop's address must not keep its staff out.
    if (sessions && routes.find(context)?.isOpen) return routes.answer(context);
    context.credential = this.#credentialOf(context);
    return andThen(this.#identify(context, context.credential), (principal) => {
      if (principal instanceof ApiError) return this.#answerUnauthenticated(context, principal);
      context.principal = principal;
      context.requireStillValid = () => this.#requireStillValid(context);
      if (principal.session) sessions?.noteUse(principal.session, context.nowMs);
      return andThen(this.#parts.admit(context), () =>
        context.request.method === 'OPTIONS' ? this.#answerOptions(context) : routes.answer(context),
      );
    });
  }

  /** Headers of each response of the requested operation, also of an error before it runs. */
  operationHeaders(context: RequestContext): Readonly<Record<string, string>> | undefined {
    return this.#parts.routes.find(context)?.headers;
  }

  /** The cookie of a session counts only without the header, which no page of another site can set. */
  #credentialOf(context: RequestContext): Credential {
    const authorization = context.header('authorization');
    if (authorization !== null) return { authorization };
    return { authorization, session: this.#parts.sessions?.secretOf(context) };
  }

  #identify(
    context: RequestContext,
    { authorization, session }: Credential,
    nowMs = context.nowMs,
  ): MaybePromise<AuthResult> {
    const { authenticator, sessions, address } = this.#parts;
    const isOverLimit = () => address.isUsedUp(context);
    return session === undefined || sessions === undefined
      ? authenticator.authenticate(authorization, nowMs, isOverLimit)
      : sessions.authenticate(session, nowMs, isOverLimit);
  }

  #requireStillValid(context: RequestContext): MaybePromise<void> {
    // A rotation without an overlap lets the old key expire.
    const nowMs = context.nowMs + performance.now() - context.startedAtMs;
    return andThen(this.#identify(context, context.credential, nowMs), (principal) => {
      if (principal instanceof ApiError) throw principal;
    });
  }

  /** Charges the address before the refusal, which limits guesses of keys. */
  #answerUnauthenticated(context: RequestContext, refusal: ApiError): MaybePromise<Answer> {
    const { routes, address } = this.#parts;
    address.charge(context);
    // OPTIONS requires no key.
    if (context.request.method === 'OPTIONS' && routes.allowedMethods(context.path).length > 0) {
      return this.#answerOptions(context);
    }
    throw refusal;
  }

  #answerOptions(context: RequestContext): MaybePromise<Answer> {
    const { routes } = this.#parts;
    const allowed = routes.allowedMethods(context.path);
    if (allowed.length === 0) return routes.answer(context);
    const headers = routes.allowHeaders(allowed);
    const preflight = context.corsHeaders?.['Access-Control-Allow-Origin']
      ? preflightHeaders(allowed.join(', '))
      : undefined;
    return context.respond(204, null, { ...headers, ...preflight });
  }
}
