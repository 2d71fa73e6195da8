/**
 * Processes that share the files without their own. Few, because each compiles the service and the tests again: eight take
 * 15 % more CPU time than three. More than cores, because many tests wait for a program that they start.
 */
const SHARED = 4;

/** Files of two processes, each with the reason. A process needs most of a second to load the service and the tests. */
const TOGETHER: readonly (readonly [RegExp, string])[] = [
  [
    /^web\/test\/(?:access\/(?:access|busiest-account)|camera|count\/count|docs|drafts|imports\/imports|labels|looks\/measures|list-exports|offline|orders|pet|pet-codes|reorders|reports|saved-views|scanning|shell\/connection|shell\/first-rows|shell\/searches|stock\/change-many|stock\/stock|stocktakes|webhooks\/resend)\.test\.ts$/,
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
  [/^server\/test\/collect-when-quiet\.test\.ts$/, 'measures its memory'],
  [/^server\/test\/listen\/long-bodies\.test\.ts$/, 'measures its memory'],
  [/^server\/test\/store\/large-values\.test\.ts$/, 'measures its memory'],
  [/^server\/test\/store\/list-rebuild\.test\.ts$/, 'measures its memory'],
  [/^server\/test\/webhooks\/delivery\/http-delivery\.test\.ts$/, 'measures its memory'],
  [/^server\/test\/pet-file\/workbook\.test\.ts$/, 'measures its memory'],
  [/^server\/test\/race\/certificate\.test\.ts$/, 'sets its clock right'],
];

/** Seconds of the slowest files, with six processes at a time. The others take three on average. */
const SECONDS: Readonly<Record<string, number>> = {
  'server/test/postgres/contract.test.ts': 62,
  'web/test/imports/imports.test.ts': 66,
  'web/test/stocktakes.test.ts': 35,
  'web/test/stock/stock.test.ts': 46,
  'server/test/postgres/pets/contract.test.ts': 28,
  'server/test/postgres/charge.test.ts': 34,
  'web/test/orders.test.ts': 33,
  'server/test/postgres/faults/start-up.test.ts': 26,
  'server/test/race/certificate.test.ts': 15,
  'web/test/access/access.test.ts': 29,
  'web/test/count/count.test.ts': 26,
  'server/test/cli/cli.test.ts': 26,
  'web/test/pet.test.ts': 25,
  'server/test/postgres/admin/move.test.ts': 25,
  'server/test/postgres/orders/contract.test.ts': 24,
  'server/test/postgres/imports/contract.test.ts': 13,
  'server/test/postgres/faults/faults.test.ts': 22,
  'server/test/fuzz/hostile/requests.test.ts': 20,
  'web/test/shell/searches.test.ts': 20,
  'server/test/live/stream-service.test.ts': 20,
  'server/test/blackbox/uploads/import-uploads.test.ts': 20,
  'server/test/store/sqlite-file.test.ts': 19,
  'server/test/postgres/shared-list.test.ts': 18,
  'server/test/monitoring/monitoring.test.ts': 18,
  'server/test/fuzz/api-fuzz.test.ts': 18,
  'server/test/postgres/clocks/every-time.test.ts': 17,
  'server/test/cli/launcher.test.ts': 17,
  'web/test/serving/serving.test.ts': 16,
  'web/test/reports.test.ts': 16,
  'server/test/live/live-hub.test.ts': 16,
  'server/test/postgres/admin/moved-management.test.ts': 16,
  'server/test/cli/graceful-stop.test.ts': 16,
  'server/test/blackbox/slow-clients.test.ts': 15,
  'server/test/blackbox/operations-by-credential.test.ts': 14,
  'server/test/postgres/webhooks/contract.test.ts': 14,
  'server/test/postgres/ledger-reading.test.ts': 14,
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
