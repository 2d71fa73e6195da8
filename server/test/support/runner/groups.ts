/**
 * Processes that share the files without their own. Few, because each compiles the service and the tests again: eight take
 * 15 % more CPU time than three. More than cores, because many tests wait for a program that they start.
 */
const SHARED = 6;

/** Files of two processes, each with the reason. A process needs most of a second to load the service and the tests. */
const TOGETHER: readonly (readonly [RegExp, string])[] = [
  [
    /^web\/test\/(?:access\/(?:access|busiest-account)|camera|count\/count|docs|drafts|imports\/(?:imports|undo-import)|labels|looks\/(?:german-width|measures|orders-width|right-to-left)|list-exports|offline|orders|pet|pet-codes|pet-details-offline|printed-pages|reorders|reports|saved-views|scanning|shell\/connection|shell\/first-rows|shell\/searches|sign-in|stock\/change-many|stock\/stock|stocktakes|twins|webhooks\/resend)\.test\.ts$/,
    'use a browser',
  ],
  [
    /^server\/test\/postgres\/(?:(?:.+\/)?contract|ledger-reading)\.test\.ts$/,
    'choose another engine for the files that they import',
  ],
];

/** Test files that need their own process, each with the reason. */
const ALONE: readonly (readonly [RegExp, string])[] = [
  [/^server\/test\/access\/credential\.test\.ts$/, 'measures its memory'],
  [/^server\/test\/process\/fit-memory-to-load\.test\.ts$/, 'measures its memory'],
  [/^server\/test\/management\/thread-memory\.test\.ts$/, 'sees an option of V8 that all threads share'],
  [/^server\/test\/listen\/long-bodies\.test\.ts$/, 'measures its memory'],
  [/^server\/test\/store\/large-values\.test\.ts$/, 'measures its memory'],
  [/^server\/test\/store\/list-rebuild\.test\.ts$/, 'measures its memory'],
  [/^server\/test\/webhooks\/delivery\/http-delivery\.test\.ts$/, 'measures its memory'],
  [/^server\/test\/pet-file\/workbook\.test\.ts$/, 'measures its memory'],
  [/^server\/test\/race\/certificate\.test\.ts$/, 'sets its clock right'],
];

/** Seconds of the slowest files, in one run beside other work. The others take three on average. */
const SECONDS: Readonly<Record<string, number>> = {
  'web/test/pet.test.ts': 93,
  'web/test/imports/imports.test.ts': 92,
  'server/test/postgres/contract.test.ts': 90,
  'web/test/offline.test.ts': 81,
  'web/test/looks/measures.test.ts': 66,
  'server/test/cli/readme.test.ts': 60,
  'server/test/postgres/pets/contract.test.ts': 53,
  'web/test/stocktakes.test.ts': 53,
  'web/test/drafts.test.ts': 52,
  'server/test/http/openapi-compatibility.test.ts': 49,
  'server/test/fuzz/api-fuzz.test.ts': 47,
  'web/test/reorders.test.ts': 44,
  'server/test/store/backup-folder.test.ts': 44,
  'server/test/postgres/reports/contract.test.ts': 41,
  'server/test/race/certificate.test.ts': 41,
  'server/test/postgres/orders/contract.test.ts': 37,
  'server/test/postgres/faults/start-up.test.ts': 36,
  'server/test/admin/roles.test.ts': 36,
  'server/test/postgres/clocks/every-time.test.ts': 35,
  'server/test/pet-file/workbook.test.ts': 33,
  'server/test/postgres/imports/contract.test.ts': 33,
  'server/test/postgres/charge.test.ts': 32,
  'server/test/inventory/list-cache.test.ts': 31,
  'server/test/blackbox/hostile-json.test.ts': 31,
  'web/test/stock/stock.test.ts': 29,
  'web/test/stock/change-many.test.ts': 29,
  'server/test/postgres/webhooks/contract.test.ts': 28,
  'server/test/admin/repeated-actions.test.ts': 28,
  'web/test/shell/first-rows.test.ts': 28,
  'web/test/saved-views.test.ts': 27,
  'server/test/postgres/stocktakes/contract.test.ts': 26,
  'web/test/reports.test.ts': 26,
  'server/test/postgres/shared-list.test.ts': 26,
  'server/test/cli/doctor.test.ts': 24,
  'web/test/shell/searches.test.ts': 24,
  'server/test/cli/quickstart.test.ts': 23,
  'server/test/tracing/tracing.test.ts': 23,
  'server/test/store/served-migration.test.ts': 23,
  'server/test/blackbox/operations-by-credential.test.ts': 23,
  'web/test/pet-details-offline.test.ts': 23,
  'web/test/count/count.test.ts': 23,
  'server/test/admin/activity.test.ts': 23,
  'server/test/support/runner/run-groups.test.ts': 22,
  'server/test/blackbox/uploads/import-uploads.test.ts': 22,
  'server/test/blackbox/http-edges.test.ts': 22,
  'server/test/postgres/reorders/contract.test.ts': 21,
  'web/test/access/access.test.ts': 21,
  'server/test/postgres/faults/shielded-database.test.ts': 21,
  'web/test/pet-codes.test.ts': 21,
  'server/test/postgres/usage/contract.test.ts': 20,
  'server/test/postgres/shared-keys.test.ts': 20,
  'server/test/cli/cli.test.ts': 20,
  'web/test/docs.test.ts': 20,
  'web/test/orders.test.ts': 19,
  'server/test/store/orders/default-thresholds.test.ts': 18,
  'web/test/serving/serving.test.ts': 18,
  'server/test/admin/shared-operations.test.ts': 18,
  'server/test/postgres/ledger-reading.test.ts': 18,
  'server/test/blackbox/int64.test.ts': 17,
  'server/test/http/errors.test.ts': 17,
  'web/test/shell/connection.test.ts': 17,
  'server/test/management/thread-memory.test.ts': 17,
  'server/test/access/limits-restart.test.ts': 17,
  'server/test/blackbox/slow-clients.test.ts': 17,
  'server/test/webhooks/thread/sender-thread.test.ts': 17,
  'server/test/postgres/shared-limits.test.ts': 17,
  'server/test/admin/cross-site.test.ts': 16,
  'server/test/inventory/list-as-of.test.ts': 16,
  'server/test/cli/graceful-stop.test.ts': 16,
  'test/docs/samples.test.ts': 16,
  'server/test/postgres/admin/operators.test.ts': 15,
  'test/docs/response-samples.test.ts': 15,
  'server/test/store/interrupted-restore.test.ts': 14,
  'server/test/access/memory-limits.test.ts': 14,
  'server/test/blackbox/admin-tour.test.ts': 14,
  'server/test/blackbox/stopped-process.test.ts': 14,
};

interface Group {
  readonly files: string[];
  seconds: number;
}

/** Distributes test files over processes. Those that take longest start first. */
export function groupsOf(files: readonly string[]): string[][] {
  const kinds = new Map<string, Group[]>();
  const secondsOf = (file: string) => SECONDS[file] ?? 3;
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const [kind, processes] = kindOf(file);
    const groups = kinds.getOrInsertComputed(kind, () =>
      Array.from({ length: processes }, () => ({ files: [], seconds: 0 })),
    );
    const group = groups.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    group.files.push(file);
    group.seconds += secondsOf(file);
  }
  const filled = [...kinds.values()].flat().filter((group) => group.files.length > 0);
  return filled.toSorted((a, b) => b.seconds - a.seconds).map((group) => group.files);
}

/** What the files of a process have in common, and how many such processes there are. */
function kindOf(file: string): readonly [string, number] {
  const together = TOGETHER.find(([pattern]) => pattern.test(file));
  if (together) return [together[1], 2];
  return ALONE.some(([pattern]) => pattern.test(file)) ? [file, 1] : ['', SHARED];
}
