import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeEmpty } from '../../scripts/release/build.ts';
import { closeUnreleased, releaseNotes } from '../../scripts/release/changelog.ts';
import { nextVersion } from '../../scripts/release/next-version.ts';
import { keepDocuments, requireBetaInTime } from '../../scripts/release/released-documents.ts';
import { requireUnreleased } from '../../scripts/release/unreleased.ts';
import { setVersion, theVersion, versionsIn } from '../../scripts/release/versions.ts';
import { temporaryFolder } from '../../server/test/support/command-line.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### A\n\n- New.\n\n## 1.0.0\n\nFirst.\n';

test('the version is the same in all places, and one command changes all of them', (t) => {
  const present = theVersion(ROOT);
  const copy = temporaryFolder(t);
  for (const file of versionsIn(ROOT).keys()) cpSync(join(ROOT, file), join(copy, file), { recursive: true });
  setVersion(copy, '2.0.0-beta.1');
  assert.equal(theVersion(copy), '2.0.0-beta.1');
  setVersion(copy, present);
  for (const file of versionsIn(ROOT).keys()) {
    assert.equal(readFileSync(join(copy, file), 'utf8'), readFileSync(join(ROOT, file), 'utf8'), file);
  }
  writeFileSync(join(copy, 'client/src/version.ts'), "export const VERSION = '9.9.9';\n");
  assert.throws(() => theVersion(copy), /client\/src\/version\.ts has 9\.9\.9\.$/);
  writeFileSync(join(copy, 'client/src/version.ts'), '');
  assert.throws(() => theVersion(copy), /client\/src\/version\.ts has none\.$/);
});

test('a version is named, or which part of it increases', () => {
  const next = (wanted: string) => nextVersion('1.2.3', wanted);
  assert.deepEqual(['patch', 'minor', 'major', '4.0.0-rc.1'].map(next), [
    '1.2.4',
    '1.3.0',
    '2.0.0',
    '4.0.0-rc.1',
  ]);
  for (const wrong of [
    '',
    '1.2',
    'v1.2.4',
    '1.2.4 ',
    'prerelease',
    '01.3.0',
    '1.3.0-01',
    '1.3.0-',
    '2.0.0+1',
  ]) {
    assert.throws(() => next(wrong), /Name a version such as 1\.2\.3, or major, minor or patch/, wrong);
  }
  assert.throws(() => nextVersion('1.2.3', 'patch', 'minor'), /Name a version .*; not patch minor\./);
});

test('the folder of a release loses the files of an earlier one, and no others', (t) => {
  const folder = join(temporaryFolder(t), 'release');
  makeEmpty(folder);
  const own = ['SHA256SUMS', 'notes.md', 'client.cdx.json', 'petstore-server-windows-x64.exe'];
  for (const name of [...own, 'petstore-inventory-server-1.0.0-rc.1.tgz'])
    writeFileSync(join(folder, name), '');
  makeEmpty(folder);
  assert.deepEqual(readdirSync(folder), []);
  writeFileSync(join(folder, 'SHA256SUMS'), '');
  writeFileSync(join(folder, 'thesis.md'), '');
  assert.throws(() => makeEmpty(folder), /release has thesis\.md, which is no file of a release/);
  assert.deepEqual(readdirSync(folder).toSorted(), ['SHA256SUMS', 'thesis.md']);
});

test('a pre-release becomes its version, or that of a larger part', () => {
  const cases: readonly (readonly [present: string, wanted: string, next: string])[] = [
    ['2.0.0-rc.1', 'major', '2.0.0'],
    ['2.0.0-rc.1', 'minor', '2.0.0'],
    ['2.0.0-rc.1', 'patch', '2.0.0'],
    ['2.1.0-rc.1', 'major', '3.0.0'],
    ['2.1.1-rc.1', 'minor', '2.2.0'],
  ];
  for (const [present, wanted, next] of cases) assert.equal(nextVersion(present, wanted), next, present);
});

test('a version has to be higher than the present one', () => {
  const ascending = [
    '0.9.9',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0',
    '1.0.2',
    '1.0.10',
  ];
  for (const [place, present] of ascending.entries()) {
    for (const [other, wanted] of ascending.entries()) {
      if (other > place) assert.equal(nextVersion(present, wanted), wanted);
      else assert.throws(() => nextVersion(present, wanted), /is not higher than the present version/);
    }
  }
});

test('a release begins with a checkout without changes, and with a version that has no tag', (t) => {
  const folder = temporaryFolder(t);
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words], {
      cwd: folder,
    });
  git('init', '--quiet');
  writeFileSync(join(folder, 'file'), 'one');
  git('add', 'file');
  git('commit', '--quiet', '--message', 'one');
  git('tag', 'v1.1.0');
  writeFileSync(join(folder, 'untracked'), 'no part of the commit');
  requireUnreleased(folder, '1.2.0');
  assert.throws(() => requireUnreleased(folder, '1.1.0'), /The tag v1\.1\.0 exists already/);
  writeFileSync(join(folder, 'file'), 'two');
  assert.throws(() => requireUnreleased(folder, '1.2.0'), /Commit your changes first[^\n]*\nM file$/);
});

test('a release names the unreleased changes, and needs some', () => {
  const closed = closeUnreleased(CHANGELOG, '1.1.0', '2026-07-01');
  assert.match(closed, /^## Unreleased\n\n## 1\.1\.0 - 2026-07-01\n\n### A\n/m);
  assert.equal(releaseNotes(closed, '1.1.0'), '### A\n\n- New.');
  assert.equal(releaseNotes(closed, '1.0.0'), 'First.');
  assert.throws(() => closeUnreleased(closed, '1.2.0', '2026-07-02'), /no unreleased changes/);
  assert.throws(() => releaseNotes(closed, '1.2.0'), /no section "## 1\.2\.0"/);
  assert.throws(() => releaseNotes(closed, '1.1'), /no section/);
});

test('a release keeps its documents, with which later builds are compared', (t) => {
  const copy = temporaryFolder(t);
  const kept = 'server/test/fixtures/released';
  mkdirSync(join(copy, kept), { recursive: true });
  for (const name of ['openapi.json', 'admin-openapi.json']) writeFileSync(join(copy, name), `"${name}"`);
  keepDocuments(copy);
  for (const name of ['openapi.json', 'admin-openapi.json'])
    assert.equal(readFileSync(join(copy, kept, name), 'utf8'), `"${name}"`);
});

test('operations that were promised as beta until a day are not released as beta after it', () => {
  requireBetaInTime(ROOT, '2027-05-31', '2027-05-31');
  assert.throws(() => requireBetaInTime(ROOT, '2027-06-01', '2027-05-31'), {
    message:
      'openapi.json and admin-openapi.json promised beta operations until 2027-05-31 only (docs/stability.md): make them stable first.',
  });
});

test('npm installs with an old Node without a warning about engines', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { engines?: { node?: string } }>;
  };
  const demanding = Object.entries(packages).filter(([, { engines }]) => engines?.node !== undefined);
  // The packages of the repository say it in their own package.json.
  assert.deepEqual(
    demanding.map(([name, { engines }]) => `${name}: ${engines?.node}`),
    [': >=20', 'client: >=20'],
    'after a change of packages, run npm run lock',
  );
});
