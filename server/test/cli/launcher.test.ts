import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { environmentOf, run, temporaryFolder } from '../support/command-line.ts';
import { until } from '../support/until.ts';
import { outsideNode } from './outside-node.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const LAUNCHER = join(ROOT, 'server/bin/petstore-server.js');
const BUN = join(ROOT, 'node_modules/.bin/bun');

interface Launched {
  /** The process that was started, which the service may be or not. */
  readonly outer: { readonly pid: number; readonly ended: Promise<number | NodeJS.Signals | null> };
  readonly service: { readonly pid: number; readonly port: number };
  output(): string;
}

async function launch(t: TestContext, command: string, words: readonly string[]): Promise<Launched> {
  const folder = temporaryFolder(t);
  const env = environmentOf(folder, { PETSTORE_LOG_LEVEL: 'info' });
  for (const name of Object.keys(env)) if (name.startsWith('npm_')) delete env[name];
  const child = spawn(command, words, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });
  const log = () => /\{[^\n]*"msg":"listening"\}/.exec(output)?.[0];
  await until(() => log() !== undefined, `${command} ${words.join(' ')} listens`);
  const { url, pid } = JSON.parse(log() ?? '') as { url: string; pid: number };
  t.after(() => {
    for (const one of [child.pid, pid]) killed(one as number);
  });
  return {
    outer: { pid: child.pid as number, ended },
    service: { pid, port: Number(new URL(url).port) },
    output: () => output,
  };
}

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

async function untilStopped({ service, output }: Launched): Promise<void> {
  await until(() => output().includes('"msg":"stopped"'), 'the service stops gracefully');
  await assert.rejects(RawSocket.open(service.port), { code: 'ECONNREFUSED' });
}

const WAYS: readonly (readonly [string, ...string[]])[] = [
  ['npm', 'start'],
  ['npx', 'petstore-server', 'serve'],
  [outsideNode(), LAUNCHER, 'serve'],
  [process.execPath, LAUNCHER, 'serve'],
  [BUN, LAUNCHER, 'serve'],
];

test('a signal to the outer process stops the service', { concurrency: true }, async (t) => {
  const waits = WAYS.flatMap(([command, ...words]) => {
    const title = `${command} ${words.join(' ')}`;
    return [
      t.test(`SIGTERM: ${title}`, async (tt) => {
        if (title !== 'npx petstore-server serve' && isSkippedDaily(tt)) return;
        const launched = await launch(tt, command, words);
        process.kill(launched.outer.pid, 'SIGTERM');
        await untilStopped(launched);
        const end = await launched.outer.ended;
        // npm ends as its shell does, which ends on the signal.
        if (!command.startsWith('np')) assert.equal(end, 0);
      }),
    ];
  });
  await Promise.all(waits);
});

test('an old Node without the one of the lockfile gets a sentence, not a stack trace', async (t) => {
  const node = outsideNode();
  // A machine without an older Node has nothing to refuse.
  if (node === process.execPath) return;
  const folder = temporaryFolder(t);
  const launcher = join(folder, 'bin/petstore-server.mjs');
  for (const name of ['bin', 'src']) mkdirSync(join(folder, name));
  copyFileSync(LAUNCHER, launcher);
  const refusal = async () => {
    const { code, stdout, stderr } = await run(node, [launcher, 'serve'], folder, environmentOf(folder));
    assert.deepEqual([code, stdout], [1, '']);
    const start = /^error: petstore-server needs Node 24 or later, and this is v\d[\d.]*; /;
    assert.match(stderr, start);
    return stderr.replace(start, '');
  };
  assert.equal(await refusal(), 'install a newer Node.\n', 'in a package');
  writeFileSync(join(folder, 'src/main.ts'), '');
  const remedy = 'run npm ci in the checkout, which installs one there, or install a newer Node.\n';
  assert.equal(await refusal(), remedy);
});

test('no script and no page starts the TypeScript itself: an old Node cannot read it, and so cannot explain that', () => {
  const pages = globSync(['*.md', 'docs/*.md', 'deploy/**/*.{md,yaml,service}', 'deploy/Dockerfile'], {
    cwd: ROOT,
  });
  assert.ok(pages.length > 10);
  for (const file of [...pages, 'package.json', 'server/package.json']) {
    assert.doesNotMatch(
      readFileSync(join(ROOT, file), 'utf8'),
      /(?:node|bun)[^\n`]* server\/src\/main\.ts/,
      file,
    );
  }
});

test('the launcher passes SIGINT on, and ends as the service ends', async (t) => {
  if (isSkippedDaily(t)) return;
  const launched = await launch(t, outsideNode(), [LAUNCHER, 'serve']);
  process.kill(launched.outer.pid, 'SIGINT');
  await untilStopped(launched);
  assert.equal(await launched.outer.ended, 0);

  const killedService = await launch(t, outsideNode(), [LAUNCHER, 'serve']);
  process.kill(killedService.service.pid, 'SIGKILL');
  assert.equal(await killedService.outer.ended, 'SIGKILL');
});

test('a service whose launcher is killed stops', async (t) => {
  if (isSkippedDaily(t)) return;
  const node = outsideNode();
  const launched = await launch(t, node, [LAUNCHER, 'serve']);
  process.kill(launched.outer.pid, 'SIGKILL');
  // Where the machine has no older Node the service is that process.
  if (launched.outer.pid !== launched.service.pid) await untilStopped(launched);
});

test('a service that a shell started in the background outlives it', async (t) => {
  if (isSkippedDaily(t)) return;
  const script = `"${process.execPath}" "${LAUNCHER}" serve & sleep 0`;
  const launched = await launch(t, 'sh', ['-c', script]);
  await launched.outer.ended;
  await until(async () => (await RawSocket.open(launched.service.port)) !== undefined, 'it accepts');
  process.kill(launched.service.pid, 'SIGTERM');
  await untilStopped(launched);
});
