import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

interface Step {
  readonly name?: string;
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

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The workflow that makes a release. */
export const WORKFLOW_TEXT = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
export const WORKFLOW = parse(WORKFLOW_TEXT) as {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
};

/** The script of a step; GitHub runs it with `bash -e`. */
export function scriptOf(job: string, step: string): string {
  const script = WORKFLOW.jobs[job]?.steps.find(({ name }) => name === step)?.run;
  assert.ok(script, `${job}: ${step}`);
  return script;
}
