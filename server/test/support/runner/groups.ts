/** Processes that share the files without their own. */
const SHARED = 8;

/** Files of two processes, each with the reason. A process needs most of a second to load the service and the tests. */
const TOGETHER: readonly (readonly [RegExp, string])[] = [
  [
    /^dashboard\/(?:access\/access|count\/count|docs|imports\/imports|orders|pet|shell\/connection|shell\/searches|stock\/stock)\.test\.ts$/,
    'use a browser',
  ],
  [
    /^postgres\/(?:(?:.+\/)?contract|ledger-reading)\.test\.ts$/,
    'choose another engine for the files that they import',
  ],
];

/** Test files that need their own process, each with the reason. */
const ALONE: readonly (readonly [RegExp, string])[] = [
  [/^access\/credential\.test\.ts$/, 'measures its memory'],
  [/^listen\/long-bodies\.test\.ts$/, 'measures its memory'],
  [/^store\/large-values\.test\.ts$/, 'measures its memory'],
  [/^store\/list-rebuild\.test\.ts$/, 'measures its memory'],
  [/^webhooks\/delivery\/http-delivery\.test\.ts$/, 'measures its memory'],
  [/^race\/certificate\.test\.ts$/, 'sets its clock right'],
  [/^cli\/colour\.test\.ts$/, 'replaces the environment'],
];

/** Seconds of the slowest files, with four processes at a time. The others take one or two. */
const SECONDS: Readonly<Record<string, number>> = {
  'postgres/contract.test.ts': 43,
  'dashboard/orders.test.ts': 34,
  'race/certificate.test.ts': 30,
  'postgres/faults/faults.test.ts': 26,
  'dashboard/imports/imports.test.ts': 25,
  'dashboard/stock/stock.test.ts': 23,
  'dashboard/access/access.test.ts': 21,
  'postgres/shared-list.test.ts': 19,
  'blackbox/uploads/import-uploads.test.ts': 18,
  'postgres/pets/contract.test.ts': 18,
  'dashboard/pet.test.ts': 17,
  'store/sqlite-file.test.ts': 16,
  'dashboard/count/count.test.ts': 15,
  'imports/imports-over-http.test.ts': 15,
  'postgres/shared-limits.test.ts': 15,
  'monitoring/monitoring.test.ts': 13,
  'webhooks/thread/sender-thread.test.ts': 13,
  'blackbox/slow-clients.test.ts': 13,
  'blackbox/http-edges.test.ts': 12,
  'dashboard/docs.test.ts': 11,
  'dashboard/shell/searches.test.ts': 11,
  'postgres/orders/contract.test.ts': 11,
  'store/backup.test.ts': 11,
  'postgres/clocks/every-time.test.ts': 10,
  'postgres/faults/start-up.test.ts': 10,
  'postgres/admin/move.test.ts': 9,
  'postgres/round-trips.test.ts': 9,
  'dashboard/shell/connection.test.ts': 9,
  'cli/readme.test.ts': 8,
  'postgres/charge.test.ts': 8,
  'cli/cli.test.ts': 7,
  'fuzz/api-fuzz.test.ts': 7,
  'live/stream-service.test.ts': 7,
  'cli/launcher.test.ts': 6,
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
