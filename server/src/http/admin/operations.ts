import { ROLE_SCOPES, type Scope } from '../../domain/access/api-key.ts';
import { ROLES, type Role } from '../../domain/access/roles.ts';
import { defineOperations, type OperationOptions, type Services } from '../operations.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { createAccount } from './accounts/create-account.ts';
import { getAccount } from './accounts/get-account.ts';
import { listAccounts } from './accounts/list-accounts.ts';
import { updateAccount } from './accounts/update-account.ts';
import { listActivity } from './activity/list-activity.ts';
import { createAdminKey } from './admin-keys/create-admin-key.ts';
import { getAdminKey } from './admin-keys/get-admin-key.ts';
import { listAdminKeys } from './admin-keys/list-admin-keys.ts';
import { revokeAdminKey } from './admin-keys/revoke-admin-key.ts';
import { rotateAdminKey } from './admin-keys/rotate-admin-key.ts';
import type { AdminDefinition } from './admin-operation.ts';
import { liftBan } from './bans/lift-ban.ts';
import { listBans } from './bans/list-bans.ts';
import { applyImport } from './imports/apply-import.ts';
import { cancelImport } from './imports/cancel-import.ts';
import { createImport } from './imports/create-import.ts';
import { deleteImport } from './imports/delete-import.ts';
import { getImport } from './imports/get-import.ts';
import { listImportRows } from './imports/list-import-rows.ts';
import { listImports } from './imports/list-imports.ts';
import { planImport } from './imports/plan-import.ts';
import { createKey } from './keys/create-key.ts';
import { getKey } from './keys/get-key.ts';
import { listKeys } from './keys/list-keys.ts';
import { revokeKey } from './keys/revoke-key.ts';
import { rotateKey } from './keys/rotate-key.ts';
import { pruneLedger } from './ledger/prune-ledger.ts';
import { verifyLedger } from './ledger/verify-ledger.ts';
import { expireOrder } from './orders/expire-order.ts';
import { getOrderApproval } from './orders/get-order-approval.ts';
import { getOverview } from './overview/get-overview.ts';
import { archivePet } from './pets/archive-pet.ts';
import { createPet } from './pets/create-pet.ts';
import { exportPets } from './pets/export-pets.ts';
import { getManagedPet } from './pets/get-managed-pet.ts';
import { listPetRows } from './pets/list-pet-rows.ts';
import { listPets } from './pets/list-pets.ts';
import { restorePet } from './pets/restore-pet.ts';
import { updatePet } from './pets/update-pet.ts';
import { createSession } from './sessions/create-session.ts';
import { endSession } from './sessions/end-session.ts';
import { getSession } from './sessions/get-session.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { revokeSession } from './sessions/revoke-session.ts';
import { getSystem } from './system/get-system.ts';
import { getThresholds } from './thresholds/get-thresholds.ts';
import { setThresholds } from './thresholds/set-thresholds.ts';
import { getAccountUsage } from './usage/get-account-usage.ts';
import { adminWebhookOperations } from './webhooks/webhook-endpoints.ts';

/** The operations of the management API, in the order of its document: its own, then those of clients. */
export function defineAdminOperations(options: OperationOptions): readonly AdminDefinition[] {
  const own: readonly AdminDefinition[] = [
    getSystem,
    getOverview,
    listActivity,
    listAccounts,
    createAccount,
    getAccount,
    updateAccount,
    getAccountUsage,
    listKeys,
    createKey,
    getKey,
    rotateKey,
    revokeKey,
    listBans,
    liftBan,
    listAdminKeys,
    createAdminKey,
    getAdminKey,
    rotateAdminKey,
    revokeAdminKey,
    createSession,
    getSession,
    endSession,
    listSessions,
    revokeSession,
    getThresholds,
    setThresholds,
    listPets,
    createPet,
    exportPets,
    listPetRows,
    getManagedPet,
    updatePet,
    archivePet,
    restorePet,
    createImport,
    listImports,
    getImport,
    listImportRows,
    planImport,
    applyImport,
    cancelImport,
    deleteImport,
    getOrderApproval,
    expireOrder,
    pruneLedger,
    verifyLedger,
    ...adminWebhookOperations(options.maxWebhookEndpoints),
  ];
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
