import { ROLES, type Role } from '@petstore-inventory/shared/words';
/** Whether a role includes another one. */
export function includesRole(role: Role | null | undefined, needed: Role): boolean {
  return role !== null && role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
