import { createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { PlanName, Role } from '@petstore-inventory/shared/words';
import type { Limits } from './plans.ts';

export const ENVIRONMENTS = ['production', 'staging'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const SCOPES = [
  'inventory:read',
  'inventory:write',
  'inventory:adjust',
  'inventory:status',
  'inventory:batch',
  'movements:read',
  'movements:revert',
  'ledger:audit',
  'pets:read',
  'orders:read',
  'orders:place',
  'orders:approve',
  'orders:deliver',
  'orders:cancel',
  'orders:return',
  'webhooks:manage',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What clients do in the shop. Other scopes concern the account of a key. */
const SHOP_SCOPES = SCOPES.filter((scope) => /^(?:inventory|movements|ledger|pets|orders):/.test(scope));

/** The scopes of a management key, for the operations that it has in common with clients. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: SHOP_SCOPES.filter((scope) => scope.endsWith(':read') || scope === 'ledger:audit'),
  staff: SHOP_SCOPES,
  administrator: SHOP_SCOPES,
};

/** The holder of a plan. The quota belongs to the account, however many keys it has. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly limits: Limits;
  readonly createdAtMs: number;
}

/** An API key without its secret, which is shown one time and cannot be read again. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  /** The role of a management key; `null`: the key is a client's. */
  readonly role: Role | null;
  readonly name: string;
  /** Enough of the key to recognise it, such as `psk_live_…x7Qa`. */
  readonly hint: string;
  readonly scopes: readonly Scope[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  /** The key this one replaced, when it came from a rotation. */
  readonly rotatedFrom: string | null;
  /** Of a caller with a management key: the first one of the keys that led to this one by rotation, or this one. */
  readonly firstKeyId?: string | null;
}

/** Keys of clients work below `/v1`, management keys below `/admin/v1`. */
export type KeyKind = 'client' | 'management';

const PREFIX: Record<KeyKind, Record<Environment, string>> = {
  client: { production: 'psk_live_', staging: 'psk_test_' },
  management: { production: 'psa_live_', staging: 'psa_test_' },
};
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const KEY_SHAPE = /^ps[ak]_(?:live|test)_[0-9A-Za-z]{38}$/;

/** Draws one base62 character per byte. Bytes that would favour some characters are discarded. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** CRC-32 of the key's text before the checksum, in base62, zero-padded. It covers the environment's prefix. */
function checksum(text: string): string {
  let rest = crc32(text);
  let encoded = '';
  while (rest > 0) {
    encoded = BASE62[rest % 62] + encoded;
    rest = Math.floor(rest / 62);
  }
  return encoded.padStart(CHECKSUM_CHARACTERS, '0');
}

/** Makes a new secret key of an environment: the prefix, 190 random bits, and a checksum for scanners. */
export function createApiKey(environment: Environment, kind: KeyKind = 'client'): string {
  const body = PREFIX[kind][environment] + randomBase62(SECRET_CHARACTERS);
  return body + checksum(body);
}

/** Whether a text can be such a key of this environment at all. Other text is refused without a look-up in the store. */
export function isWellFormedKey(text: string, environment: Environment, kind: KeyKind = 'client'): boolean {
  if (!KEY_SHAPE.test(text) || !text.startsWith(PREFIX[kind][environment])) return false;
  return checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS);
}

/** What the store keeps of a key: its HMAC-SHA-256 under a pepper that is not in the database. */
export function hashApiKey(key: string, pepper: Uint8Array): Uint8Array {
  return createHmac('sha256', pepper).update(key).digest();
}

/** The display hint of a key: its prefix and its last four characters. */
export function keyHint(key: string): string {
  return `${key.slice(0, 9)}…${key.slice(-4)}`;
}

/** A short public identifier, such as `key_4fQ2n8Zk1bXw0aLr`. */
export function createId(kind: 'acc' | 'blk' | 'imp' | 'key' | 'ses' | 'stk' | 'whe'): string {
  return `${kind}_${randomBase62(16)}`;
}

/** Replaces API keys that a client put into a path: they must not reach a log or a trace. */
export function withoutKeys(path: string): string {
  return path.replaceAll(/ps[ak]_(?:live|test)_\w+/g, '[api key]');
}
