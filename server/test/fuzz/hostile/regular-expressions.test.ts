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

// The same checker everywhere, in JavaScript: the native one and the one in Java are not installed.
process.env.RECHECK_BACKEND = 'worker';
const { check } = createRequire(import.meta.url)('recheck') as {
  check(pattern: string, flags: string, options: { checker: string; timeout: number }): Promise<Diagnostics>;
};

const TIMEOUT_MS = 300_000;

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

test('the examination finds expressions that take more than linear time', async () => {
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
