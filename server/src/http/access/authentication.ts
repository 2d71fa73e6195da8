import type { KeyKind } from '../../domain/access/api-key.ts';
import type { Store } from '../../domain/store.ts';
import { AddressGuard } from './address-guard.ts';
import { AddressLimit } from './address-limit.ts';
import { Authenticator } from './authenticator.ts';
import { SessionAuthenticator } from './session-authenticator.ts';
import { SessionGate, SIGN_INS_PER_MINUTE } from './session-gate.ts';
import { TrustedProxies } from './trusted-proxies.ts';

interface AuthenticationOptions {
  readonly pepper: Uint8Array;
  readonly trustedProxies: readonly string[];
  readonly allowHttpSessions: boolean;
}

/** Everything that finds out who makes a request: keys of both kinds, and sessions of the dashboard. */
export class Authentication {
  readonly client: Authenticator;
  readonly management: Authenticator;
  readonly sessions: SessionGate;

  constructor(store: Store, { pepper, trustedProxies, allowHttpSessions }: AuthenticationOptions) {
    const authenticatorOf = (kind: KeyKind) => new Authenticator(store, store.environment, pepper, kind);
    this.client = authenticatorOf('client');
    this.management = authenticatorOf('management');
    this.sessions = new SessionGate(
      new SessionAuthenticator(store, pepper),
      { proxies: new TrustedProxies(trustedProxies), allowHttpSessions },
      new AddressGuard(new AddressLimit(SIGN_INS_PER_MINUTE, trustedProxies)),
    );
  }

  /** Authenticates a key of either kind; keys of clients and management keys differ in their prefix. */
  authenticateKey(authorization: string | null, nowMs: number): ReturnType<Authenticator['authenticate']> {
    const authenticator = authorization?.includes('psa_') === true ? this.management : this.client;
    return authenticator.authenticate(authorization, nowMs);
  }
}
