import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { ApiError } from '../../src/domain/errors.ts';
import { readJsonBody } from '../../src/http/request/json-body.ts';
import type { RequestContext } from '../../src/http/request/request-context.ts';

const OPTIONS = { schema: z.object({ quantity: z.int() }), maxBytes: 100 };

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** `undefined`: it is too large. */
  readonly body?: Uint8Array | undefined;
  readonly ageMs?: number;
  readonly requireStillValid?: () => Promise<void>;
}

function contextOf({ headers = {}, body, ageMs = 0, requireStillValid = () => Promise.resolve() }: Sent) {
  const seen = { reads: 0 };
  const all: Readonly<Record<string, string>> = { 'content-type': 'application/json', ...headers };
  const context = {
    header: (name: string) => all[name] ?? null,
    request: {
      readBody: () => {
        seen.reads += 1;
        return Promise.resolve(body);
      },
    },
    startedAtMs: performance.now() - ageMs,
    closes: false,
    requireStillValid,
  } as unknown as RequestContext;
  return { context, seen };
}

const GOOD = Buffer.from('{"quantity":1}');

test('a body that took long is refused if its key was revoked meanwhile, also where that is asked of another machine', async () => {
  const requireStillValid = () => Promise.reject(new ApiError('revoked_api_key', 'It was revoked.'));
  const late = contextOf({ body: GOOD, ageMs: 2_000, requireStillValid });
  await assert.rejects(readJsonBody(late.context, OPTIONS), { code: 'revoked_api_key' });
  const early = contextOf({ body: GOOD, requireStillValid });
  assert.deepEqual(await readJsonBody(early.context, OPTIONS), { quantity: 1 });
});

test('the connection of a body that is too large closes, and one that says so is not read', async () => {
  const arriving = contextOf({ body: undefined });
  await assert.rejects(readJsonBody(arriving.context, OPTIONS), { code: 'body_too_large' });
  assert.equal(arriving.context.closes, true);
  const declared = contextOf({ body: GOOD, headers: { 'content-length': '101' } });
  await assert.rejects(readJsonBody(declared.context, OPTIONS), { code: 'body_too_large' });
  assert.deepEqual([declared.context.closes, declared.seen.reads], [true, 0]);
});
