import type { AppParts } from './app-parts.ts';
import { adminBaseUrlOf, baseUrlOf } from './config.ts';
import type { AuditReport } from './domain/ledger-store.ts';
import type { Refusal } from './domain/store.ts';
import { accountLimits } from './http/access/account-limits.ts';
import type { AddressGuard } from './http/access/address-guard.ts';
import type { Authentication } from './http/access/authentication.ts';
import { managementLimits } from './http/access/management-limits.ts';
import { adminDocument } from './http/admin/document.ts';
import { Verifier } from './http/admin/ledger.ts';
import { OpenExports } from './http/admin/open-exports.ts';
import { defineAdminOperations } from './http/admin/operations.ts';
import { TotalsCounter } from './http/admin/overview/counted-totals.ts';
import { systemFacts } from './http/admin/system.ts';
import { Api } from './http/api.ts';
import type { LiveHub } from './http/live/live-hub.ts';
import { openApiDocument } from './http/openapi/client-document.ts';
import { defineOperations } from './http/operations.ts';
import { bindOperation, type OperationDescription } from './http/request/bound-operation.ts';
import type { RequestContext } from './http/request/request-context.ts';
import { Routes } from './http/router.ts';
import { eventRoutes } from './http/webhooks/event-documents.ts';
import { WriteExecutor } from './http/writes/write-executor.ts';
import type { RequestLog } from './request-log.ts';

export const ADMIN_PATH = '/admin/v1';

/** What both interfaces share. */
interface Shared {
  readonly authentication: Authentication;
  readonly address: AddressGuard;
  readonly live: LiveHub;
  readonly log: RequestLog;
}

/** Builds the interface of clients and that of management, with their documents. */
export function buildApis(parts: AppParts, shared: Shared) {
  const { config, store } = parts;
  const baseUrl = baseUrlOf(config, store.environment);
  const definitions = defineOperations({ ...config, baseUrl });
  const adminDefinitions = defineAdminOperations({ ...config, baseUrl });
  const servers = { production: config.baseUrl, staging: config.stagingBaseUrl };
  return {
    client: clientApi(parts, shared, definitions, baseUrl),
    admin: adminApi(parts, shared, adminDefinitions, adminBaseUrlOf(baseUrl)),
    methods: allowOf(definitions, adminDefinitions),
    document: () => openApiDocument(definitions, servers, eventRoutes()),
    adminDocument: () => adminDocument(adminDefinitions, servers),
  };
}

function clientApi(
  parts: AppParts,
  shared: Shared,
  definitions: ReturnType<typeof defineOperations>,
  baseUrl: string,
): Api {
  const { authentication, address, log } = shared;
  const services = servicesAt(parts, shared, baseUrl);
  const routes = new Routes(
    '/v1',
    definitions.map((definition) => bindOperation(definition, services)),
  );
  const onRefused = (context: RequestContext, { imposed }: Refusal) => {
    if (imposed) log.banned(context, imposed, address.addressOf(context));
  };
  return new Api({
    routes,
    authenticator: authentication.client,
    address,
    admit: accountLimits({ store: parts.store, isFree: (context) => routes.isFree(context), onRefused }),
  });
}

function adminApi(
  parts: AppParts,
  shared: Shared,
  definitions: ReturnType<typeof defineAdminOperations>,
  baseUrl: string,
): Api {
  const { config, store, pepper } = parts;
  const { management: authenticator, sessions } = shared.authentication;
  const common = servicesAt(parts, shared, baseUrl);
  const services = {
    ...common,
    secrets: { environment: store.environment, pepper },
    authenticator,
    sessions,
    facts: systemFacts(parts.version, config, store.now()),
    totals: new TotalsCounter(parts.management.overview),
    verifier: new Verifier(parts.jobs, common.onAudit),
    openExports: new OpenExports(),
    importing: {
      maxBytes: config.maxImportBytes,
      room: async () => {
        const free = await (parts.freeBytes ?? (() => store.freeBytes()))();
        return free === undefined ? undefined : free - config.diskReserveBytes;
      },
      wake: parts.wakeImports,
    },
  };
  const routes = new Routes(
    ADMIN_PATH,
    definitions.map((definition) => bindOperation(definition, services)),
  );
  return new Api({
    routes,
    authenticator,
    sessions,
    address: shared.address,
    admit: managementLimits({ store, isCostly: (context) => routes.find(context)?.isCostly === true }),
  });
}

function servicesAt(parts: AppParts, { live, log }: Shared, baseUrl: string) {
  const { config, store, management, jobs, exporting, reporting, audits, webhooks, metrics } = parts;
  const writer = new WriteExecutor(store, baseUrl, config.maxQuantity);
  const onAudit = (report: AuditReport) => {
    metrics.observeAudit(report, store.now());
    if (report.faults.length > 0) log.faultyLedger(report);
  };
  const { maxWebhookEndpoints } = config;
  const stores = { store, management, jobs, exporting, reporting };
  return { ...stores, audits, webhooks, maxWebhookEndpoints, writer, live, baseUrl, onAudit };
}

/** The methods of all operations for `Allow`. */
function allowOf(...groups: readonly (readonly OperationDescription[])[]): string {
  const methods = new Set(groups.flat().map(({ route }) => route.method.toUpperCase()));
  return ['HEAD', ...methods, 'OPTIONS'].join(', ');
}
