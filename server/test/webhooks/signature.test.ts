import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { signatureHeader, signingKey } from '../../src/webhooks/delivery/signature.ts';
import { messageBody } from '../../src/webhooks/queues/message.ts';
import { rightTimeMs } from '../support/machine-environment.ts';

/** The published package of the Standard Webhooks project; Python imports it from the archive. */
const WHEEL = fileURLToPath(new URL('../fixtures/standardwebhooks-1.1.0-py3-none-any.whl', import.meta.url));
const PYTHON = `import sys, json
from standardwebhooks.webhooks import Webhook
for case in json.load(sys.stdin):
    Webhook(case["secret"]).verify(case["body"], case["headers"])
print("verified")`;

/** The example of the specification (Standard Webhooks 1.0). */
const EXAMPLE = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

function signed(secret: string, body: string, others: readonly string[], nowMs: number) {
  const id = '815.0';
  const timestamp = Math.floor(nowMs / 1_000);
  const signature = signatureHeader([...others, secret].map(signingKey), id, timestamp, body);
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  };
  return { secret, body, headers };
}

const secrets = Array.from({ length: 20 }, () => `whsec_${randomBytes(32).toString('base64')}`);
const data = [
  '{}',
  '{"petId":9007199254740993}',
  '{"note":"ä\u{1F600}\\u0000 \\" "}',
  `"${'x'.repeat(100_000)}"`,
];
const casesAt = (nowMs: number) =>
  secrets.map((secret, i) => {
    const text = data[i % data.length] as string;
    const body = messageBody('815.0', 'inventory.changed', 1_760_000_000_000 + i, text);
    return signed(secret, body, secrets.slice(0, i % 3), nowMs);
  });

test('the example of the specification has its signature', () => {
  const { secret, id, timestamp, body, signature } = EXAMPLE;
  assert.equal(signatureHeader([signingKey(secret)], id, timestamp, body), signature);
});

test('the npm package of Standard Webhooks verifies every signature, also of one of two secrets', () => {
  const cases = casesAt(Date.now());
  for (const { secret, body, headers } of cases) assert.ok(new Webhook(secret).verify(body, headers));
  const [first] = cases;
  assert.ok(first);
  assert.throws(() => new Webhook(first.secret).verify(`${first.body} `, first.headers));
});

test('the Python package of Standard Webhooks verifies every signature', (t) => {
  const { status, stdout, stderr, error } = spawnSync('python3', ['-c', PYTHON], {
    input: JSON.stringify(casesAt(rightTimeMs())),
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: WHEEL },
  });
  if (error) {
    t.diagnostic('python3 is not installed: only the npm package has verified the signatures');
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOENT');
    return;
  }
  assert.equal(stdout.trim(), 'verified', stderr);
  assert.equal(status, 0);
});
