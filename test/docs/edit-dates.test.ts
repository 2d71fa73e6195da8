import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../server/test/support/command-line.ts';
import { editDates } from '../../web/build/edit-dates.ts';

const PATHS = ['docs/one.md', 'docs/two.md'];

test('a guide has the day of its last commit, also in a copy without the history, and no day that may be wrong', (t) => {
  const folder = temporaryFolder(t);
  const own = join(folder, 'own');
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      cwd: own,
      stdio: 'pipe',
    });
  const commit = (day: string) => {
    git('add', '--all');
    const dates = { GIT_AUTHOR_DATE: `${day}T12:00:00Z`, GIT_COMMITTER_DATE: `${day}T12:00:00Z` };
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'a'], {
      cwd: own,
      env: { ...process.env, ...dates },
    });
  };
  const datesIn = (place: string) => Object.fromEntries(editDates(PATHS, (path) => join(place, path)));
  mkdirSync(join(own, 'docs'), { recursive: true });
  git('init', '-q');
  for (const path of PATHS) writeFileSync(join(own, path), 'first');
  writeFileSync(join(own, '.gitignore'), 'docs/edit-dates.json\n');
  commit('2026-01-02');
  writeFileSync(join(own, 'docs/two.md'), 'second');
  commit('2026-03-04');
  const both = { 'docs/one.md': '2026-01-02', 'docs/two.md': '2026-03-04' };
  assert.deepEqual(datesIn(own), both);

  const copy = join(folder, 'copy');
  cpSync(join(own, 'docs'), join(copy, 'docs'), { recursive: true });
  assert.deepEqual(datesIn(copy), both, 'from the file of the build before');
  writeFileSync(join(copy, 'docs/two.md'), 'third');
  assert.deepEqual(datesIn(copy), { 'docs/one.md': '2026-01-02' }, 'the text is another one');
  rmSync(join(copy, 'docs/edit-dates.json'));
  assert.deepEqual(datesIn(copy), {});

  writeFileSync(join(own, 'docs/one.md'), 'edited');
  assert.deepEqual(datesIn(own), { 'docs/two.md': '2026-03-04' }, 'an edit without a commit has no day');
  const kept = JSON.parse(readFileSync(join(own, 'docs/edit-dates.json'), 'utf8')) as object;
  assert.deepEqual(Object.keys(kept), ['docs/two.md']);

  const shallow = join(folder, 'shallow');
  execFileSync('git', ['clone', '-q', '--depth', '1', `file://${own}`, shallow], { stdio: 'pipe' });
  assert.deepEqual(datesIn(shallow), {}, 'its only commit has all files');
});
