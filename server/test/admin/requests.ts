import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { TestApp } from '../support/harness.ts';
import { SHARED_REQUESTS, sampleOf } from '../support/sample-requests.ts';

/** A request that succeeds for a key with the role, or that the operation refuses with this status after its checks. */
export interface AdminRequest {
  /** Below `/admin/v1`. A function makes what can be used only one time. */
  readonly path: string | ((app: TestApp) => string | Promise<string>);
  readonly body?: string | ((app: TestApp) => string | Promise<string>);
  readonly status: number;
  /** `HEAD` for a stream, which does not end. */
  readonly method?: 'HEAD';
}

function at(path: string, status = 200, body?: object): AdminRequest {
  return { path, status, ...(body && { body: JSON.stringify(body) }) };
}

async function newKeyId(app: TestApp): Promise<string> {
  return (await app.makeKey()).principal.key.id;
}

async function newAdminKeyId(app: TestApp): Promise<string> {
  return (await app.makeAdminKey('viewer')).principal.key.id;
}

let names = 0;

function uniqueName(): string {
  names += 1;
  return `shop ${names}`;
}

let petIds = 100_000;

function newPetId(): number {
  petIds += 1;
  return petIds;
}

/** A request for an endpoint that is made before it. */
function ofNewEndpoint(suffix: string, status: number, isPaused = false): AdminRequest {
  const path = async ({ admin, principal }: TestApp) => {
    const endpoint = { accountId: principal.account.id, url: 'https://shop.example/' };
    const made = await admin.webhooks.create(endpoint, 1_000, CLI_AUTHOR);
    if (isPaused) await admin.webhooks.pause(made.endpoint.id, CLI_AUTHOR);
    return `/webhook-endpoints/${made.endpoint.id}${suffix}`;
  };
  return { path, status };
}

/** A request for a stock-take that is started before it. */
function ofNewStocktake(suffix: string, status: number): AdminRequest {
  const path = async ({ admin }: TestApp) => {
    const { id } = await admin.stocktakes.start(
      { name: 'Autumn', scope: {}, posting: 'at_count' },
      CLI_AUTHOR,
    );
    return `/stocktakes/${id}${suffix}`;
  };
  return { path, status };
}

/** One request per operation of the management API. The shop has pet 1 with enough stock. */
export const ADMIN_REQUESTS: Readonly<Record<string, AdminRequest>> = {
  ...SHARED_REQUESTS,
  getSystem: at('/system'),
  getOverview: at('/overview'),
  listActivity: at('/activity?limit=1'),
  getAccountUsage: { path: ({ principal }) => `/accounts/${principal.account.id}/usage`, status: 200 },
  getUsage: at('/usage'),
  listAccounts: at('/accounts?limit=1'),
  createAccount: {
    path: '/accounts',
    body: () => JSON.stringify({ name: uniqueName(), plan: 'free' }),
    status: 201,
  },
  getAccount: { path: ({ principal }) => `/accounts/${principal.account.id}`, status: 200 },
  updateAccount: {
    path: ({ principal }) => `/accounts/${principal.account.id}`,
    body: '{"plan":"enterprise","perMinute":1000000,"perDay":1000000}',
    status: 200,
  },
  listKeys: at('/keys?limit=1'),
  createKey: {
    path: '/keys',
    body: ({ principal }) => JSON.stringify({ accountId: principal.account.id, scopes: ['pets:read'] }),
    status: 201,
  },
  getKey: { path: ({ principal }) => `/keys/${principal.key.id}`, status: 200 },
  rotateKey: { path: async (app) => `/keys/${await newKeyId(app)}/rotate`, status: 201 },
  revokeKey: { path: async (app) => `/keys/${await newKeyId(app)}/revoke`, status: 200 },
  listBans: at('/bans'),
  liftBan: { path: ({ principal }) => `/keys/${principal.key.id}/lift-ban`, status: 200 },
  listAdminKeys: at('/admin-keys?limit=1'),
  createAdminKey: at('/admin-keys', 201, { role: 'viewer' }),
  getAdminKey: { path: async (app) => `/admin-keys/${await newAdminKeyId(app)}`, status: 200 },
  rotateAdminKey: { path: async (app) => `/admin-keys/${await newAdminKeyId(app)}/rotate`, status: 201 },
  revokeAdminKey: { path: async (app) => `/admin-keys/${await newAdminKeyId(app)}/revoke`, status: 200 },
  createSession: {
    path: '/session',
    body: async (app) => JSON.stringify({ key: (await app.makeAdminKey('viewer')).key }),
    status: 200,
  },
  // A key has no session. Those of cookies are in sessions.test.ts.
  getSession: at('/session', 404),
  endSession: at('/session', 404),
  listSessions: at('/sessions?limit=1'),
  revokeSession: at('/sessions/ses_0000000000000000', 404),
  getSavedViews: at('/saved-views'),
  setSavedViews: at('/saved-views', 200, { views: [] }),
  getThresholds: at('/thresholds'),
  setThresholds: at('/thresholds', 200, { lowStockAt: 3, restockAt: 5 }),
  createBulkChange: at('/bulk-changes', 202, { petIds: [1], set: { status: 'pending' } }),
  listBulkChanges: at('/bulk-changes?limit=1'),
  getBulkChange: at('/bulk-changes/blk_none', 404),
  listBulkChangePets: at('/bulk-changes/blk_none/pets', 404),
  applyBulkChange: at('/bulk-changes/blk_none/apply', 404),
  undoBulkChange: at('/bulk-changes/blk_none/undo', 404),
  cancelBulkChange: at('/bulk-changes/blk_none/cancel', 404),
  createImport: at('/imports', 202, {}),
  listImports: at('/imports?limit=1'),
  getImport: at('/imports/imp_none', 404),
  listImportRows: at('/imports/imp_none/rows', 404),
  listImportBadRows: at('/imports/imp_none/bad-rows', 404),
  planImport: at('/imports/imp_none/plan', 404),
  applyImport: at('/imports/imp_none/apply', 404),
  undoImport: at('/imports/imp_none/undo', 404),
  cancelImport: at('/imports/imp_none/cancel', 404),
  deleteImport: at('/imports/imp_none', 404),
  listImportMappings: at('/import-mappings'),
  getImportMapping: at('/import-mappings/none', 404),
  setImportMapping: at('/import-mappings/Zoo', 200, { columns: [{ heading: 'Artikel', field: 'sku' }] }),
  deleteImportMapping: at('/import-mappings/none', 404),
  listStocktakes: at('/stocktakes?limit=1'),
  startStocktake: at('/stocktakes', 201, { name: 'Autumn', scope: { category: 'Dogs' } }),
  getStocktake: ofNewStocktake('', 200),
  getStocktakeTotals: ofNewStocktake('/totals', 200),
  countPet: { ...ofNewStocktake('/counts', 201), body: '{"petId":1,"counted":5}' },
  listStocktakeLines: ofNewStocktake('/report', 200),
  listUncountedPets: ofNewStocktake('/uncounted', 200),
  closeStocktake: ofNewStocktake('/close', 200),
  cancelStocktake: ofNewStocktake('/cancel', 200),
  // One that runs.
  undoStocktake: ofNewStocktake('/undo', 409),
  getStockReport: at('/reports/stock?by=pet&limit=1'),
  exportStockReport: at('/reports/stock/export?by=category'),
  getMovementReport: at('/reports/movements?timeZone=Europe/Berlin'),
  exportMovementReport: at('/reports/movements/export?format=xlsx'),
  getVarianceReport: at('/reports/variance'),
  exportVarianceReport: at('/reports/variance/export?by=pet'),
  listReorders: at('/reorders?state=to_order'),
  exportReorders: at('/reorders/export?format=xlsx'),
  listSuppliers: at('/reorders/suppliers'),
  getReorder: at('/reorders/1'),
  updateReorder: at('/reorders/1', 200, {
    ordered: 140,
    expectedOn: '2026-12-03',
    supplier: 'Zoo Wholesale',
  }),
  createWebhookEndpoint: {
    path: '/webhook-endpoints',
    body: ({ principal }) =>
      JSON.stringify({ accountId: principal.account.id, url: 'https://shop.example/hooks' }),
    status: 201,
  },
  getWebhookEndpoint: ofNewEndpoint('', 200),
  updateWebhookEndpoint: { ...ofNewEndpoint('', 200), body: '{"description":"x"}' },
  deleteWebhookEndpoint: ofNewEndpoint('', 204),
  rotateWebhookSecret: ofNewEndpoint('/rotate', 200),
  pauseWebhookEndpoint: ofNewEndpoint('/pause', 200),
  resumeWebhookEndpoint: ofNewEndpoint('/resume', 200, true),
  resendWebhookEvent: ofNewEndpoint('/resend?event=0.9', 404),
  replayWebhookEvents: ofNewEndpoint('/replay?after=0.0', 200),
  listWebhookDeliveries: ofNewEndpoint('/deliveries', 200),
  pruneLedger: at('/ledger/prune', 200, { before: '2020-01-01T00:00:00Z', acceptClock: true }),
  verifyLedger: at('/ledger/verify'),
  getOrderApproval: at('/store/orders/999999/approval', 404),
  expireOrder: at('/store/orders/999999/expire', 404),
  listPets: at('/pets?q=pet&archived=include&limit=1'),
  createPet: {
    path: '/pets',
    body: () => JSON.stringify({ petId: newPetId(), name: 'Rex' }),
    status: 201,
  },
  exportPets: at('/pets/export?format=ndjson'),
  listPetRows: at('/pets/rows'),
  getManagedPet: at('/pets/1'),
  updatePet: at('/pets/1', 200, { name: 'Rex' }),
  archivePet: at('/pets/1/archive', 409),
  deletePet: at('/pets/404', 404),
  restorePet: at('/pets/1/restore'),
};

/** The path of a request, with what it needs. */
export async function pathOf(app: TestApp, { path }: Pick<AdminRequest, 'path'>): Promise<string> {
  return typeof path === 'function' ? path(app) : path;
}

/** Sends the request of an operation with a key. */
export async function sendAdmin(
  app: TestApp,
  { operationId, method }: { readonly operationId: string; readonly method: string },
  key: string | null,
  requests = ADMIN_REQUESTS,
): ReturnType<TestApp['request']> {
  const { path, body, ...row } = sampleOf(requests, operationId);
  const sent = typeof body === 'function' ? await body(app) : body;
  const target = `/admin/v1${await pathOf(app, { path })}`;
  return app.request(row.method ?? method, target, { key, ...(sent !== undefined && { body: sent }) });
}
