import { SCOPES } from '../../src/domain/access/api-key.ts';
import type { Limits } from '../../src/domain/access/plans.ts';
import type { Principal } from '../../src/domain/access/principal.ts';

/** A key and its account, as the store finds them. */
export function principalOf(keyId: string, accountId: string, limits: Limits): Principal {
  return {
    key: {
      id: keyId,
      accountId,
      role: null,
      name: 'test',
      hint: 'psk_live_…test',
      scopes: SCOPES,
      createdAtMs: 0,
      expiresAtMs: null,
      revokedAtMs: null,
      lastUsedAtMs: null,
      rotatedFrom: null,
      firstKeyId: keyId,
    },
    account: { id: accountId, name: accountId, plan: 'enterprise', limits, createdAtMs: 0 },
  };
}
