/** Processes that share the files without their own. */
const SHARED = 16;

/** Test files that need their own process, each with the reason. */
const ALONE: readonly (readonly [RegExp, string])[] = [
  [/^postgres\/(?:.+\/)?contract\.test\.ts$/, 'chooses another engine for the files that it imports'],
  [/^postgres\/ledger-reading\.test\.ts$/, 'chooses another engine for the files that it imports'],
  [/^access\/credential\.test\.ts$/, 'measures its memory'],
  [/^listen\/long-bodies\.test\.ts$/, 'measures its memory'],
  [/^store\/large-values\.test\.ts$/, 'measures its memory'],
  [/^store\/list-rebuild\.test\.ts$/, 'measures its memory'],
  [/^webhooks\/delivery\/http-delivery\.test\.ts$/, 'measures its memory'],
  [/^race\/certificate\.test\.ts$/, 'sets its clock right'],
  [/^cli\/colour\.test\.ts$/, 'replaces the environment'],
];

/** Distributes test files over processes; the slow ones, which are alone, start first. */
export function groupsOf(files: readonly string[]): string[][] {
  const isAlone = (file: string) => ALONE.some(([pattern]) => pattern.test(file));
  const alone = files.filter(isAlone).map((file) => [file]);
  const others = files.filter((file) => !isAlone(file));
  const shared = Array.from({ length: SHARED }, (_, i) => others.filter((_file, j) => j % SHARED === i));
  return [...alone, ...shared.filter((group) => group.length > 0)];
}
