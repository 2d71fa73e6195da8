import type { Operation } from '../operation/operation.ts';
import { type OperationOptions, sharedOperations } from '../operations.ts';
import { expireOrder, getOrderApproval } from '../orders/orders.ts';
import type { OperationDefinition } from '../request/operation.ts';
import {
  createWebhookEndpointFor,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listAllWebhookEndpoints,
  listWebhookDeliveries,
  pauseWebhookEndpoint,
  replayWebhookEvents,
  resumeWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '../webhooks/webhook-endpoints.ts';
import { createAccount, getAccount, listAccounts, updateAccount } from './accounts.ts';
import { listActivity } from './activity.ts';
import type { AdminDefinition, AdminServices } from './admin-operation.ts';
import { exportPets } from './export-pets.ts';
import {
  applyImport,
  cancelImport,
  createImport,
  deleteImport,
  getImport,
  listImportRows,
  listImports,
  planImport,
} from './imports.ts';
import {
  createAdminKey,
  getAdminKey,
  listAdminKeys,
  revokeAdminKey,
  rotateAdminKey,
} from './keys/admin-keys.ts';
import { liftBan, listBans } from './keys/bans.ts';
import { createKey, getKey, listKeys, revokeKey, rotateKey } from './keys/keys.ts';
import { pruneLedger, verifyLedger } from './ledger.ts';
import { getOverview } from './overview/overview.ts';
import {
  archivePet,
  createPet,
  getManagedPet,
  listPetRows,
  listPets,
  restorePet,
  updatePet,
} from './pets.ts';
import { createSession } from './sessions/create-session.ts';
import { endSession, getSession, listSessions, revokeSession } from './sessions/sessions.ts';
import { getSystem } from './system.ts';
import { getThresholds, setThresholds } from './thresholds.ts';
import { getAccountUsage } from './usage.ts';

/** The operations of the management API, in the order of its document: its own, then those of clients. */
export function defineAdminOperations(
  options: OperationOptions,
): readonly OperationDefinition<AdminServices>[] {
  const own: readonly (AdminDefinition | Operation<AdminServices>)[] = [
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
    listAllWebhookEndpoints,
    createWebhookEndpointFor,
    getWebhookEndpoint,
    updateWebhookEndpoint,
    deleteWebhookEndpoint,
    rotateWebhookSecret,
    pauseWebhookEndpoint,
    resumeWebhookEndpoint,
    testWebhookEndpoint,
    replayWebhookEvents,
    listWebhookDeliveries,
  ];
  const shared = sharedOperations(options).filter((one) => !own.includes(one));
  return [...own, ...shared].flatMap((one) => ('route' in one ? one : (one.management ?? [])));
}
