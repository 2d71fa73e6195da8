import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { type SourceExpression, sourceExpressions } from './source-expressions.ts';

interface Diagnostics {
  readonly status: 'safe' | 'vulnerable' | 'unknown';
  readonly complexity?: { readonly summary: string };
  readonly attack?: { readonly pattern: string };
  readonly error?: { readonly kind: string };
}

const { check } = createRequire(import.meta.url)('recheck') as {
  check(pattern: string, flags: string, options: { checker: string; timeout: number }): Promise<Diagnostics>;
};

const TIMEOUT_MS = 60_000;

async function faultOf({ pattern, flags, files }: SourceExpression): Promise<string | undefined> {
  // The automaton is exact. The other checker guesses attacks, and finds more of them on a busy machine.
  const options = { checker: 'automaton', timeout: TIMEOUT_MS };
  const { status, complexity, attack, error } = await check(pattern, flags, options);
  if (status === 'safe') return undefined;
  const detail = [complexity?.summary, attack?.pattern, error?.kind].filter(Boolean).join(', ');
  return `${[...files].join(', ')}: /${pattern}/${flags} is ${status}: ${detail}`;
}

test('every regular expression of the service takes linear time', async () => {
  const { literals, constructed } = sourceExpressions();
  assert.ok(literals.length > 50, 'the expressions were found');
  assert.deepEqual(constructed, [], 'expressions are literals, so that this test examines them');
  const faults = (await Promise.all(literals.map(faultOf))).filter((fault) => fault !== undefined);
  assert.deepEqual(faults, []);
});

test('the examination finds a quadratic expression', async () => {
  const files = new Set(['here']);
  assert.match(
    String(await faultOf({ pattern: '0+$', flags: '', files })),
    /vulnerable: 2nd degree polynomial/,
  );
  assert.match(String(await faultOf({ pattern: '^a(?: +(b*))? *$', flags: 'i', files })), /vulnerable/);
});
