/**
 * Processes that share the files without their own. Few, because each compiles the service and the tests again: eight take
 * 15 % more CPU time than three. More than cores, because many tests wait for a program that they start.
 */
const SHARED = 6;

/** Files of two processes, each with the reason. A process needs most of a second to load the service and the tests. */
const TOGETHER: readonly (readonly [RegExp, string])[] = [
  [
    /^web\/test\/(?:access\/(?:access|busiest-account)|camera|count\/count|docs|drafts|imports\/imports|labels|looks\/(?:german-width|measures|orders-width)|list-exports|offline|orders|pet|pet-codes|pet-details-offline|printed-pages|reorders|reports|saved-views|scanning|shell\/connection|shell\/first-rows|shell\/searches|stock\/change-many|stock\/stock|stocktakes|twins|webhooks\/resend)\.test\.ts$/,
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

/** Seconds of the slowest files, in one run beside other work. The others take two on average. */
const SECONDS: Readonly<Record<string, number>> = {
  'server/test/monitoring/monitoring.test.ts': 89,
  'server/test/postgres/contract.test.ts': 79,
  'web/test/imports/imports.test.ts': 46,
  'server/test/postgres/clocks/every-time.test.ts': 44,
  'server/test/fuzz/api-fuzz.test.ts': 44,
  'server/test/postgres/webhooks/contract.test.ts': 38,
  'server/test/postgres/pets/contract.test.ts': 37,
  'server/test/pet-file/workbook.test.ts': 36,
  'server/test/cli/cli.test.ts': 33,
  'web/test/pet.test.ts': 32,
  'web/test/serving/serving.test.ts': 31,
  'web/test/stocktakes.test.ts': 30,
  'server/test/fuzz/hostile/requests.test.ts': 29,
  'web/test/drafts.test.ts': 29,
  'server/test/cli/launcher.test.ts': 28,
  'server/test/cli/graceful-stop.test.ts': 26,
  'web/test/offline.test.ts': 25,
  'server/test/fuzz/hostile/body-values.test.ts': 24,
  'web/test/stock/stock.test.ts': 23,
  'web/test/saved-views.test.ts': 23,
  'server/test/postgres/faults/start-up.test.ts': 23,
  'server/test/access/limit-exactness.test.ts': 22,
  'web/test/orders.test.ts': 22,
  'web/test/pet-codes.test.ts': 22,
  'server/test/postgres/admin/move.test.ts': 22,
  'server/test/http/openapi-compatibility.test.ts': 21,
  'server/test/blackbox/operations-by-credential.test.ts': 20,
  'server/test/postgres/imports/contract.test.ts': 20,
  'server/test/cli/readme.test.ts': 19,
  'server/test/postgres/shared-list.test.ts': 19,
  'server/test/store/backup-folder.test.ts': 19,
  'web/test/looks/measures.test.ts': 19,
  'server/test/blackbox/int64.test.ts': 19,
  'server/test/postgres/faults/faults.test.ts': 19,
  'web/test/reports.test.ts': 19,
  'web/test/stock/change-many.test.ts': 18,
  'web/test/count/count.test.ts': 18,
  'web/test/access/busiest-account.test.ts': 18,
  'server/test/fuzz/hostile/arguments.test.ts': 17,
  'server/test/live/live-hub.test.ts': 17,
  'web/test/reorders.test.ts': 17,
  'server/test/postgres/stocktakes/contract.test.ts': 17,
  'server/test/race/certificate.test.ts': 17,
  'server/test/access/limits-restart.test.ts': 17,
  'server/test/postgres/charge.test.ts': 17,
  'web/test/scanning.test.ts': 16,
  'web/test/access/access.test.ts': 16,
  'server/test/postgres/usage/contract.test.ts': 15,
  'server/test/postgres/ledger-reading.test.ts': 15,
  'server/test/cli/doctor.test.ts': 15,
  'web/test/shell/searches.test.ts': 15,
  'server/test/blackbox/uploads/cancelled-import.test.ts': 14,
  'server/test/cli/quickstart.test.ts': 13,
  'server/test/postgres/reports/contract.test.ts': 13,
  'server/test/live/stream-service.test.ts': 13,
  'server/test/blackbox/hostile-json.test.ts': 13,
  'server/test/postgres/orders/contract.test.ts': 13,
  'server/test/admin/roles.test.ts': 12,
  'web/test/webhooks/resend.test.ts': 12,
  'server/test/blackbox/http-edges.test.ts': 12,
};

interface Group {
  readonly files: string[];
  seconds: number;
}

/** Distributes test files over processes. Those that take longest start first. */
export function groupsOf(files: readonly string[]): string[][] {
  const kinds = new Map<string, Group[]>();
  const secondsOf = (file: string) => SECONDS[file] ?? 2;
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
