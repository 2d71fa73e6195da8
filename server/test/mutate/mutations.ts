import type { Mutation } from './mutation.ts';
import { ACCESS } from './mutations/access.ts';
import { AUDIT } from './mutations/audit.ts';
import { BACKUPS } from './mutations/backups.ts';
import { DUMPS } from './mutations/dumps.ts';
import { BULK_CHANGES, DELETIONS } from './mutations/bulk-changes.ts';
import { CACHES } from './mutations/caches.ts';
import { CLIENT_CALLS } from './mutations/client/calls.ts';
import { CLIENT_COMMANDS } from './mutations/client/commands.ts';
import { CLIENT_LIBRARY } from './mutations/client/library.ts';
import { PET_CODES } from './mutations/codes.ts';
import { DASHBOARD_CONNECTION } from './mutations/dashboard/connection.ts';
import { DASHBOARD_DRAFTS } from './mutations/dashboard/drafts.ts';
import { DASHBOARD_EDITS } from './mutations/dashboard/edits.ts';
import { DASHBOARD } from './mutations/dashboard/frame.ts';
import { DASHBOARD_PAGES } from './mutations/dashboard/pages.ts';
import { DASHBOARD_REQUESTS } from './mutations/dashboard/requests.ts';
import { DASHBOARD_STOCKTAKES } from './mutations/dashboard/stocktakes.ts';
import { DASHBOARD_TEXTS } from './mutations/dashboard/texts.ts';
import { DATABASES } from './mutations/databases.ts';
import { DELIVERIES } from './mutations/deliveries.ts';
import { DOCUMENTATION } from './mutations/docs.ts';
import { FAULTS } from './mutations/faults.ts';
import { IMPORT_JOBS } from './mutations/import-jobs.ts';
import { IMPORT_UNDOS } from './mutations/import-undos.ts';
import { FILES } from './mutations/files.ts';
import { IMPORT_MAPPINGS } from './mutations/import-mappings.ts';
import { IMPORTS } from './mutations/imports.ts';
import { LEDGER } from './mutations/ledger.ts';
import { LIMITS } from './mutations/limits.ts';
import { LIVE_STREAMS } from './mutations/live.ts';
import { OPERATIONS } from './mutations/operations.ts';
import { OPERATOR } from './mutations/operator.ts';
import { ORDER_STORE } from './mutations/order-store.ts';
import { ORDERS } from './mutations/orders.ts';
import { PARSING } from './mutations/parsing.ts';
import { POSTGRES } from './mutations/postgres.ts';
import { PRUNES } from './mutations/prunes.ts';
import { RELEASES } from './mutations/releases.ts';
import { SAVED_VIEWS } from './mutations/saved-views.ts';
import { SESSIONS } from './mutations/sessions.ts';
import { SIMULATION } from './mutations/simulation.ts';
import { REORDER_MUTATIONS } from './mutations/reorders.ts';
import { REPORT_MUTATIONS } from './mutations/reports.ts';
import { STOCKTAKES } from './mutations/stocktakes.ts';
import { STORE } from './mutations/store.ts';
import { TRACES } from './mutations/traces.ts';
import { UNITS } from './mutations/units.ts';
import { USAGE } from './mutations/usage.ts';
import { WEBHOOKS } from './mutations/webhooks.ts';
import { WRITES } from './mutations/writes.ts';
import { WRONG_CLOCK } from './mutations/wrong-clock.ts';

export const ALL_MUTATIONS: readonly Mutation[] = [
  ...FAULTS,
  ...DELIVERIES,
  ...LIMITS,
  ...LIVE_STREAMS,
  ...ACCESS,
  ...SAVED_VIEWS,
  ...SESSIONS,
  ...TRACES,
  ...DASHBOARD,
  ...DASHBOARD_PAGES,
  ...DASHBOARD_DRAFTS,
  ...DASHBOARD_EDITS,
  ...DASHBOARD_REQUESTS,
  ...DASHBOARD_CONNECTION,
  ...DASHBOARD_STOCKTAKES,
  ...DASHBOARD_TEXTS,
  ...DOCUMENTATION,
  ...LEDGER,
  ...WRONG_CLOCK,
  ...PET_CODES,
  ...WRITES,
  ...CACHES,
  ...BULK_CHANGES,
  ...DELETIONS,
  ...ORDER_STORE,
  ...POSTGRES,
  ...AUDIT,
  ...BACKUPS,
  ...DUMPS,
  ...PARSING,
  ...DATABASES,
  ...OPERATIONS,
  ...OPERATOR,
  ...PRUNES,
  ...STOCKTAKES,
  ...STORE,
  ...REORDER_MUTATIONS,
  ...REPORT_MUTATIONS,
  ...RELEASES,
  ...ORDERS,
  ...UNITS,
  ...WEBHOOKS,
  ...SIMULATION,
  ...FILES,
  ...IMPORTS,
  ...IMPORT_JOBS,
  ...IMPORT_UNDOS,
  ...IMPORT_MAPPINGS,
  ...USAGE,
  ...CLIENT_LIBRARY,
  ...CLIENT_CALLS,
  ...CLIENT_COMMANDS,
];
