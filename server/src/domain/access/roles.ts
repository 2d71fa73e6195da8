/** What a management key may do: read; also change stock, orders and pets; everything. Each role includes those before it. */
export const ROLES = ['viewer', 'staff', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role includes another one. */
export function includesRole(role: Role | null | undefined, needed: Role): boolean {
  return role !== null && role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
