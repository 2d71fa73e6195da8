import type { KeyCreation } from '../../../api/schemas.ts';

export type Scope = NonNullable<KeyCreation['scopes']>[number];

/** All scopes, by what they concern. */
export const SCOPE_GROUPS = {
  inventory: ['inventory:read', 'inventory:write', 'inventory:adjust', 'inventory:status', 'inventory:batch'],
  orders: [
    'orders:read',
    'orders:place',
    'orders:approve',
    'orders:deliver',
    'orders:cancel',
    'orders:return',
  ],
  movements: ['movements:read', 'movements:revert', 'ledger:audit'],
  pets: ['pets:read'],
  webhooks: ['webhooks:manage'],
} as const satisfies Readonly<Record<string, readonly Scope[]>>;

type Listed = (typeof SCOPE_GROUPS)[keyof typeof SCOPE_GROUPS][number];
/** A scope that is missing above is a type error here. */
export const SCOPES: readonly Scope[] = Object.values(
  SCOPE_GROUPS,
).flat() satisfies readonly (Scope extends Listed ? Listed : never)[];
export const READ_SCOPES = SCOPES.filter((scope) => scope.endsWith(':read'));
