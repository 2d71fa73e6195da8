import type { KeySecrets } from '../../domain/actions/keys.ts';
import type { Authenticator } from '../access/authenticator.ts';
import type { SessionGate } from '../access/session-gate.ts';
import type { Operation } from '../operation/operation.ts';
import { type OperationOptions, type Services, sharedOperations } from '../operations.ts';
import { expireOrder, getOrderApproval } from '../orders/orders.ts';
import type { OperationDefinition } from '../request/bound-operation.ts';
import {
  createWebhookEndpointFor,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listAllWebhookEndpoints,
  listWebhookDeliveries,
  pauseWebhookEndpoint,
  replayWebhookEvents,
  resendWebhookEvent,
  resumeWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '../webhooks/webhook-endpoints.ts';
import { createAccount, getAccount, listAccounts, updateAccount } from './accounts.ts';
import { listActivity } from './activity.ts';
import {
  applyBulkChange,
  cancelBulkChange,
  createBulkChange,
  getBulkChange,
  listBulkChangePets,
  listBulkChanges,
  undoBulkChange,
} from './bulk-changes.ts';
import { exportPets } from './export-pets.ts';
import { createImport, type Importing } from './imports/create-import.ts';
import {
  deleteImportMapping,
  getImportMapping,
  listImportMappings,
  setImportMapping,
} from './imports/import-mappings.ts';
import {
  applyImport,
  cancelImport,
  deleteImport,
  getImport,
  listImportBadRows,
  listImportRows,
  listImports,
  planImport,
  undoImport,
} from './imports/imports.ts';
import {
  createAdminKey,
  getAdminKey,
  listAdminKeys,
  revokeAdminKey,
  rotateAdminKey,
} from './keys/admin-keys.ts';
import { liftBan, listBans } from './keys/bans.ts';
import { createKey, getKey, listKeys, revokeKey, rotateKey } from './keys/keys.ts';
import { pruneLedger, type Verifier, verifyLedger } from './ledger.ts';
import type { OpenExports } from './open-exports.ts';
import type { TotalsCounter } from './overview/counted-totals.ts';
import { getOverview } from './overview/overview.ts';
import {
  archivePet,
  deletePet,
  createPet,
  getManagedPet,
  listPetRows,
  listPets,
  restorePet,
  updatePet,
} from './pets.ts';
import { exportReorders, getReorder, listReorders, listSuppliers, updateReorder } from './reorders.ts';
import { exportMovementReport, getMovementReport } from './reports/movements.ts';
import { exportStockReport, getStockReport } from './reports/stock.ts';
import { exportVarianceReport, getVarianceReport } from './reports/variance.ts';
import { getSavedViews, setSavedViews } from './saved-views.ts';
import { createSession } from './sessions/create-session.ts';
import { endSession, getSession, listSessions, revokeSession } from './sessions/sessions.ts';
import {
  cancelStocktake,
  closeStocktake,
  countPet,
  getStocktake,
  getStocktakeTotals,
  listStocktakeLines,
  listStocktakes,
  listUncountedPets,
  startStocktake,
  undoStocktake,
} from './stocktakes.ts';
import { getSystem, type SystemFacts } from './system.ts';
import { getThresholds, setThresholds } from './thresholds.ts';
import { getAccountUsage, getUsage } from './usage.ts';

/** What the handlers of the management API need. */
export interface AdminServices extends Services {
  /** What the secrets of new keys are made with. */
  readonly secrets: KeySecrets;
  readonly facts: SystemFacts;
  readonly totals: TotalsCounter;
  readonly verifier: Verifier;
  readonly importing: Importing;
  readonly openExports: OpenExports;
  /** Checks management keys. */
  readonly authenticator: Authenticator;
  readonly sessions: SessionGate;
}

type Operations = readonly Operation<AdminServices>[];

const OVERVIEW: Operations = [getSystem, getOverview, listActivity];

const ACCOUNTS_AND_KEYS: Operations = [
  listAccounts,
  createAccount,
  getAccount,
  updateAccount,
  getAccountUsage,
  getUsage,
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
];

const SESSIONS: Operations = [createSession, getSession, endSession, listSessions, revokeSession];

const SAVED_VIEWS: Operations = [getSavedViews, setSavedViews];

const PETS: Operations = [
  getThresholds,
  setThresholds,
  listPets,
  createPet,
  exportPets,
  listPetRows,
  getManagedPet,
  updatePet,
  archivePet,
  deletePet,
  restorePet,
];

const BULK_CHANGES: Operations = [
  createBulkChange,
  listBulkChanges,
  getBulkChange,
  listBulkChangePets,
  applyBulkChange,
  undoBulkChange,
  cancelBulkChange,
];

const IMPORTS: Operations = [
  createImport,
  listImports,
  getImport,
  listImportRows,
  listImportBadRows,
  planImport,
  applyImport,
  undoImport,
  cancelImport,
  deleteImport,
  listImportMappings,
  getImportMapping,
  setImportMapping,
  deleteImportMapping,
];

const STOCKTAKES: Operations = [
  listStocktakes,
  startStocktake,
  getStocktake,
  getStocktakeTotals,
  countPet,
  listStocktakeLines,
  listUncountedPets,
  closeStocktake,
  undoStocktake,
  cancelStocktake,
];

const REPORTS: Operations = [
  getStockReport,
  exportStockReport,
  getMovementReport,
  exportMovementReport,
  getVarianceReport,
  exportVarianceReport,
];

const REORDERS: Operations = [listReorders, exportReorders, listSuppliers, getReorder, updateReorder];

const ORDERS_AND_LEDGER: Operations = [getOrderApproval, expireOrder, pruneLedger, verifyLedger];

const WEBHOOKS: Operations = [
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
  resendWebhookEvent,
  listWebhookDeliveries,
];

/** The operations of managers alone, in the order of the document. */
const OWN: Operations = [
  ...OVERVIEW,
  ...ACCOUNTS_AND_KEYS,
  ...SESSIONS,
  ...SAVED_VIEWS,
  ...PETS,
  ...BULK_CHANGES,
  ...IMPORTS,
  ...STOCKTAKES,
  ...REPORTS,
  ...REORDERS,
  ...ORDERS_AND_LEDGER,
  ...WEBHOOKS,
];

/** The operations of the management API, in the order of its document: its own, then those of clients. */
export function defineAdminOperations(
  options: OperationOptions,
): readonly OperationDefinition<AdminServices>[] {
  const shared = sharedOperations(options).filter((one) => !OWN.includes(one));
  return [...OWN, ...shared].flatMap(({ management }) => management ?? []);
}
