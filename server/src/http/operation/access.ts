import { ROLES, type Role } from '@petstore-inventory/shared/words';
import { ROLE_SCOPES, type Scope } from '../../domain/access/api-key.ts';
import { type ErrorResponses, FORBIDDEN, ROLE_FORBIDDEN } from '../openapi/error-responses.ts';
import type { OperationDescription } from '../request/bound-operation.ts';

/** Who may call an operation, and so the interfaces that have it. */
export type Access =
  /** Anybody, in the management API: the sign-in. */
  | 'open'
  /** Each key of a client. */
  | 'any-key'
  /**
   * Keys of clients with the scope. In the management API, keys with the role: without one, the lowest that has the scope;
   * `null`: the management API does not have the operation.
   */
  | { readonly scope: Scope; readonly role?: Role | null }
  /** Management keys with the role. */
  | { readonly scope?: never; readonly role: Role };

/** What an interface requires of a key, and how it documents the refusal of others. */
export interface Grant extends Pick<OperationDescription, 'scope' | 'role' | 'isOpen'> {
  readonly forbidden: ErrorResponses;
}

/** What each interface that has the operation requires. */
export function grantsOf(access: Access): Partial<Record<'client' | 'management', Grant | undefined>> {
  if (access === 'open') return { management: { scope: null, isOpen: true, forbidden: {} } };
  if (access === 'any-key') return { client: { scope: null, forbidden: {} } };
  const { scope, role } = access;
  if (scope === undefined) return { management: { scope: null, role, forbidden: ROLE_FORBIDDEN } };
  const client = { scope, forbidden: FORBIDDEN };
  if (role === null) return { client };
  const required = role ?? ROLES.find((one) => ROLE_SCOPES[one].includes(scope));
  const forbidden = role === undefined ? FORBIDDEN : ROLE_FORBIDDEN;
  return { client, management: required && { scope: null, role: required, forbidden } };
}
