import { ROLE_SCOPES, type Scope } from '../../domain/access/api-key.ts';
import { ROLES, type Role } from '../../domain/access/roles.ts';
import { defineOperations, type OperationOptions, type Services } from '../operations.ts';
import type { OperationDefinition } from '../request/operation.ts';
import type { AdminDefinition } from './admin-operation.ts';
import { getSystem } from './system/get-system.ts';

/** The operations of the management API, in the order of its document: its own, then those of clients. */
export function defineAdminOperations(options: OperationOptions): readonly AdminDefinition[] {
  const own: readonly AdminDefinition[] = [getSystem];
  const places = new Set(own.map(placeOf));
  const shared = defineOperations(options).flatMap(mounted);
  return [...own, ...shared.filter((operation) => !places.has(placeOf(operation)))];
}

/** An operation of clients with the same handler, for each role with its scope. */
function mounted(operation: OperationDefinition<Services>): AdminDefinition[] {
  const role = operation.scope === null ? undefined : lowestRole(operation.scope);
  return role === undefined ? [] : [{ ...operation, scope: null, role }];
}

function lowestRole(scope: Scope): Role | undefined {
  return ROLES.find((role) => ROLE_SCOPES[role].includes(scope));
}

function placeOf({ route }: AdminDefinition): string {
  return `${route.method} ${route.path}`;
}
