import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startService } from '../../server/test/blackbox/service.ts';
import { temporaryFolder } from '../../server/test/support/command-line.ts';
import { ROOT } from '../../test/docs/pages.ts';
import { bundleClient } from '../scripts/bundle.ts';
import { PetstoreClient } from '../src/index.ts';
import { runProgram } from './support/programs.ts';
import { expectedTour, writeRunner } from './support/tour-runner.ts';
import { isSkippedOnBun } from '../../server/test/support/long-test.ts';

/** The management API also reads and sends files. */
const MAX_COMPRESSED_BYTES = { index: 10_500, admin: 10_700 };
const LARGE = 9007199254740993n;

test('each entry of the client is small, and that of clients has nothing of the management API', async (t) => {
  if (isSkippedOnBun(t, 'another zlib')) return;
  for (const entry of ['index', 'admin'] as const) {
    const code = await bundleClient(entry);
    const bytes = gzipSync(code).length;
    t.diagnostic(`${entry}: ${bytes} bytes compressed`);
    assert.ok(bytes <= MAX_COMPRESSED_BYTES[entry], `${entry}: ${bytes} bytes compressed`);
    assert.equal(/\/accounts\/|psa_/.test(code), entry === 'admin', entry);
  }
});

test('the built package runs on each runtime', async (t) => {
  const folder = temporaryFolder(t);
  const build = ['--project', 'client/tsconfig.build.json', '--outDir', join(folder, 'dist')];
  await runProgram(join(ROOT, 'node_modules/.bin/tsc'), build);
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const runner = writeRunner(folder);
  const pets = [7n, LARGE].map((petId) => ({ petId, quantity: 5 }));
  const { port, key } = await startService(t, { pets });
  const address = `http://127.0.0.1:${port}`;
  const client = new PetstoreClient({ baseUrl: address, apiKey: key });
  const runtimes = {
    'this Node': process.execPath,
    'the oldest Node': 'node',
    Bun: join(ROOT, 'node_modules/.bin/bun'),
  };
  for (const [runtime, command] of Object.entries(runtimes)) {
    await client.updateInventory(LARGE, { quantity: 5 });
    const output = await runProgram(command, [runner, address, key]);
    assert.deepEqual(JSON.parse(output), expectedTour(LARGE), runtime);
  }
});

test('the versions are those of the package', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'client/package.json'), 'utf8')) as {
    version: string;
  };
  const source = readFileSync(join(ROOT, 'client/src/version.ts'), 'utf8');
  assert.ok(source.includes(`'${version}'`));
});
