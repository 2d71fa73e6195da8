import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Service, startService } from '../../server/test/blackbox/service.ts';
import { run, temporaryFolder } from '../../server/test/support/command-line.ts';
import { type OpenApiDocument, operationsOf } from '../../web/src/docs/document.ts';
import { referenceOf } from '../../web/src/docs/reference/reference.ts';
import { ROOT } from './pages.ts';

/** That of the document. */
const EXAMPLE_BARCODE = '4006381333931';
const SAMPLE = join(ROOT, 'server/sample/pets.csv');

/** How the samples of a language run. Their last word is the program. */
const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  shell: ['sh', '-ec'],
  bash: ['sh', '-ec'],
  python: ['python3', '-c'],
  typescript: [
    process.execPath,
    '--conditions=@petstore-inventory/source',
    '--input-type=module-typescript',
    '-e',
  ],
};

export interface SampleRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A service with the sample shop, and what runs the samples of the documentation against it. */
export interface SampleShop {
  readonly document: OpenApiDocument;
  /** Runs a sample of an operation. Numbers of its address become those of things that exist. */
  run(operationId: string, language: string): Promise<SampleRun>;
  /** Runs a sample that never ends, until it prints this. */
  runUntil(printed: RegExp, operationId: string, language: string): Promise<void>;
}

export async function openSampleShop(t: TestContext): Promise<SampleShop> {
  const service = await startService(t, {});
  await service.cli('pets', 'import', SAMPLE);
  await service.cli('pets', 'edit', '7', '--barcode', EXAMPLE_BARCODE);
  const text = readFileSync(join(ROOT, 'openapi.json'), 'utf8');
  const document = referenceOf(JSON.parse(text) as OpenApiDocument, {
    serverUrl: `${service.url}/v1`,
    hasSamples: true,
    introduction: '',
    errorAddress: (code) => `#${code}`,
  });
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'node_modules/@petstore-inventory'), { recursive: true });
  symlinkSync(join(ROOT, 'client'), join(folder, 'node_modules/@petstore-inventory/client'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const sources = new Map(operationsOf(document).map(({ operation }) => [operation.operationId, operation]));
  // The commands of this checkout, on its own runtime.
  const PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, KEY: service.key, PYTHONUNBUFFERED: '1' };
  const prepared = async (operationId: string, language: string) => {
    const sample = sources.get(operationId)?.['x-codeSamples']?.find(({ lang }) => lang === language);
    const [command = '', ...words] = LANGUAGES[language] ?? [];
    assert.ok(sample && command, `${operationId} has a sample for ${language}`);
    return { command, words: [...words, await withRealNumbers(service, operationId, sample.source)] };
  };
  return {
    document,
    async run(operationId, language) {
      const { command, words } = await prepared(operationId, language);
      return run(command, words, folder, env);
    },
    async runUntil(printed, operationId, language) {
      const { command, words } = await prepared(operationId, language);
      // A group of its own, which ends with the programs that the shell started.
      const child = spawn(command, words, { cwd: folder, env, detached: true });
      const end = () => child.exitCode ?? child.signalCode ?? process.kill(-Number(child.pid), 'SIGKILL');
      t.after(end);
      const closed = once(child, 'close');
      let stdout = '';
      let stderr = '';
      child.stderr.on('data', (text) => {
        stderr += String(text);
      });
      child.stdout.on('data', (text) => {
        stdout += String(text);
        if (printed.test(stdout)) end();
      });
      await closed;
      assert.ok(printed.test(stdout), `${operationId}, ${language}: ${stdout}${stderr}`);
    },
  };
}

async function send(
  service: Service,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.url}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** The steps before an order can take a step. */
const STEPS_BEFORE: Readonly<Record<string, readonly string[]>> = {
  deliverOrder: ['approve'],
  returnOrder: ['approve', 'deliver'],
};

/** A sample with the numbers of a movement, an order and an endpoint that its operation can use now. */
async function withRealNumbers(service: Service, operationId: string, source: string): Promise<string> {
  let text = source;
  if (text.includes('4711')) {
    const moved = await send(service, 'POST', '/inventory/9/adjustments', { delta: 1, reason: 'received' });
    text = text.replaceAll('4711', String(moved.sequence));
  }
  if (text.includes('1042')) {
    const order = await send(service, 'POST', '/store/orders', { lines: [{ petId: 33, quantity: 1 }] });
    for (const step of STEPS_BEFORE[operationId] ?? []) {
      await send(service, 'POST', `/store/orders/${String(order.orderId)}/${step}`);
    }
    text = text.replaceAll('1042', String(order.orderId));
  }
  if (text.includes('whe_4fQ2n8Zk1bXw0aLr')) {
    const made = await send(service, 'POST', '/webhook-endpoints', { url: 'https://shop.example/hooks' });
    const { id } = made.endpoint as { id: string };
    if (operationId === 'resumeWebhookEndpoint')
      await send(service, 'POST', `/webhook-endpoints/${id}/pause`);
    text = text.replaceAll('whe_4fQ2n8Zk1bXw0aLr', id).replace('815.0-1a2b3c4d', '0.0');
  }
  return text;
}
