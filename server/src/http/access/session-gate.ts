import type { Session, SessionOwner } from '../../domain/access/principal.ts';
import type { ApiError } from '../../domain/errors.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { AddressGuard } from './address-guard.ts';
import {
  type BrowserRules,
  requireNoOtherSite,
  requireOwnPage,
  requireSessionsAllowed,
  sessionCookieName,
} from './browser-request.ts';
import type { SessionAuthenticator } from './session-authenticator.ts';
import { readCookie, setCookie } from './session-cookie.ts';

/** Failed sign-ins per address. */
export const SIGN_INS_PER_MINUTE = 10;

/** The sessions of the dashboard, at the edge of the service: their cookies, and which requests may use them. */
export class SessionGate {
  readonly #authenticator: SessionAuthenticator;
  readonly #rules: BrowserRules;
  readonly #signIns: AddressGuard;

  /** @param signIns The limit of failed sign-ins. */
  constructor(authenticator: SessionAuthenticator, rules: BrowserRules, signIns: AddressGuard) {
    this.#authenticator = authenticator;
    this.#rules = rules;
    this.#signIns = signIns;
  }

  /**
   * The secret of a request's session, if it has one.
   * @throws ApiError `cross_site_request` when another site may have made the request.
   */
  secretOf(context: RequestContext): string | undefined {
    const cookies = context.header('cookie');
    if (cookies === null) return undefined;
    const name = sessionCookieName(context, this.#rules);
    const secret = name && readCookie(cookies, name);
    if (!secret) return undefined;
    requireOwnPage(context, this.#rules);
    return secret;
  }

  authenticate(
    secret: string,
    nowMs: number,
    isOverLimit?: () => boolean,
  ): MaybePromise<SessionOwner | ApiError> {
    return this.#authenticator.authenticate(secret, nowMs, isOverLimit);
  }

  noteUse(session: Session, nowMs: number): void {
    this.#authenticator.noteUse(session, nowMs);
  }

  /** @throws ApiError when sessions are not allowed on the connection, or another site may have made the request. */
  requireSignInAllowed(context: RequestContext): void {
    requireSessionsAllowed(context, this.#rules);
    requireNoOtherSite(context, this.#rules);
  }

  /** @throws ApiError when too many sign-ins from the address failed. */
  requireSignInLeft(context: RequestContext): void {
    this.#signIns.show(context);
    this.#signIns.requireLeft(context);
  }

  /** Counts a sign-in against its address. @throws ApiError when too many failed. */
  beginSignIn(context: RequestContext): void {
    this.#signIns.charge(context);
  }

  /** A sign-in that succeeded does not count. Returns its `Set-Cookie`. */
  endSignIn(context: RequestContext, secret: string): string {
    this.#signIns.refund(context);
    return setCookie(requireSessionsAllowed(context, this.#rules), secret);
  }

  /** Forgets an ended session. Returns the `Set-Cookie` that ends the cookie. */
  signOut(context: RequestContext): string {
    const { session } = context.credential;
    if (session !== undefined) this.#authenticator.forget(session);
    return setCookie(requireSessionsAllowed(context, this.#rules), '');
  }
}
