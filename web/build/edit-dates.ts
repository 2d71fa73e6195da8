import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { repositoryFile } from './guides.ts';

/** Written by a build that has the history, for one that has not, such as that of the image. */
const KEPT = 'docs/edit-dates.json';

interface Kept {
  /** Of the content: a date of another text would be wrong. */
  readonly sha256: string;
  readonly date: string;
}

/** The days of the last edits by path, such as `2026-11-20`. A text whose day is not certain has none. */
export function editDates(
  paths: readonly string[],
  fileOf: (path: string) => string = repositoryFile,
): ReadonlyMap<string, string> {
  const digests = new Map(paths.map((path) => [path, digestOf(fileOf(path))]));
  const recorded = datesOfCommits(paths, fileOf('.'));
  const kept = fileOf(KEPT);
  if (!recorded) {
    const before = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Record<string, Kept>) : {};
    const same = Object.entries(before).filter(([path, { sha256 }]) => digests.get(path) === sha256);
    return new Map(same.map(([path, { date }]) => [path, date]));
  }
  const all = [...recorded].map(([path, date]) => [path, { sha256: digests.get(path) ?? '', date }] as const);
  const text = `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`;
  // A newer file would make the next start build the pages again.
  if (!existsSync(kept) || readFileSync(kept, 'utf8') !== text) writeFileSync(kept, text);
  return recorded;
}

/** @returns `undefined` without the history: no git, no repository, or a copy of a part of it, whose oldest commit has all files. */
function datesOfCommits(paths: readonly string[], folder: string): Map<string, string> | undefined {
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    if (git('rev-parse', '--is-shallow-repository', '--show-prefix').trim() !== 'false') return undefined;
    const changed = new Set(
      git('status', '--porcelain', '-z', '--', ...paths)
        .split('\0')
        .map((line) => line.slice(3)),
    );
    const dates = new Map<string, string>();
    let date = '';
    for (const line of git('log', '--format=@%cs', '--name-only', '--no-renames', '--', ...paths).split(
      '\n',
    )) {
      if (line.startsWith('@')) date = line.slice(1);
      else if (line !== '' && !dates.has(line) && !changed.has(line)) dates.set(line, date);
    }
    return dates.size === 0 ? undefined : dates;
  } catch {
    return undefined;
  }
}

function digestOf(file: string): string {
  return hash('sha256', readFileSync(file));
}
