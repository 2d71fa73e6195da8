import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type SourceExpression, sourceExpressions } from './source-expressions.ts';
import { isSkippedDaily, isSkippedOnBun } from '../../support/long-test.ts';

interface Diagnostics {
  readonly status: 'safe' | 'vulnerable' | 'unknown';
  readonly complexity?: { readonly summary: string };
  readonly attack?: { readonly pattern: string };
  readonly error?: { readonly kind: string };
}

// The same checker everywhere, in JavaScript: the native one and the one in Java are not installed.
process.env.RECHECK_BACKEND = 'worker';
const require = createRequire(import.meta.url);
const { version } = require('recheck/package.json') as { version: string };
const { check } = require('recheck') as {
  check(pattern: string, flags: string, options: { checker: string; timeout: number }): Promise<Diagnostics>;
};

const TIMEOUT_MS = 300_000;
/** Expressions that this version of the checker found safe in an earlier run, because the result depends on nothing else. */
const SAFE = fileURLToPath(
  new URL(`../../../../node_modules/.cache/regular-expressions/${version}.json`, import.meta.url),
);

async function faultOf({ pattern, flags, files }: SourceExpression): Promise<string | undefined> {
  // The automaton is exact. The other checker guesses attacks, and finds more of them on a busy machine.
  const options = { checker: 'automaton', timeout: TIMEOUT_MS };
  const { status, complexity, attack, error } = await check(pattern, flags, options);
  if (status === 'safe') return undefined;
  const detail = [complexity?.summary, attack?.pattern, error?.kind].filter(Boolean).join(', ');
  return `${[...files].join(', ')}: /${pattern}/${flags} is ${status}: ${detail}`;
}

// Without results of an earlier run, one busy core needs up to ten minutes.
test('every regular expression of the service takes linear time', { timeout: 1_800_000 }, async (t) => {
  if (isSkippedOnBun(t, 'TypeScript reads its pipes by Node')) return;
  if (isSkippedDaily(t)) return;
  const { literals, constructed } = sourceExpressions();
  assert.ok(literals.length > 50, 'the expressions were found');
  assert.deepEqual(constructed, [], 'expressions are literals, so that this test examines them');
  const textOf = ({ pattern, flags }: SourceExpression) => `/${pattern}/${flags}`;
  const known = existsSync(SAFE) ? (JSON.parse(readFileSync(SAFE, 'utf8')) as string[]) : [];
  const others = literals.filter((literal) => !known.includes(textOf(literal)));
  const faults = (await Promise.all(others.map(faultOf))).filter((fault) => fault !== undefined);
  assert.deepEqual(faults, []);
  if (others.length === 0) return;
  mkdirSync(dirname(SAFE), { recursive: true });
  writeFileSync(SAFE, JSON.stringify(literals.map(textOf)));
});

test('the examination finds expressions that take more than linear time', async (t) => {
  if (isSkippedDaily(t)) return;
  const planted = [
    ['0+$', '', /vulnerable: 2nd degree polynomial/],
    ['^a(?: +(b*))? *$', 'i', /vulnerable: 2nd degree polynomial/],
    ['^\\d*,?\\d*x$', '', /vulnerable: 2nd degree polynomial/],
    ['[ \\t]+,', 'g', /vulnerable: 2nd degree polynomial/],
    ['https?://.*/.*#', '', /vulnerable: 3rd degree polynomial/],
    ['^(?:a|A)*$', 'iu', /vulnerable: exponential/],
    ['^(?:\\w+ ?)*$', '', /vulnerable: exponential/],
    ['^"(?:[^"]|\\\\.)*"$', '', /vulnerable: exponential/],
  ] as const;
  for (const [pattern, flags, fault] of planted)
    assert.match(String(await faultOf({ pattern, flags, files: new Set(['here']) })), fault);
});
