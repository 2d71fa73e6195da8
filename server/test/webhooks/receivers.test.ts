import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { temporaryFolder } from '../support/command-line.ts';
import { freePort } from '../postgres/support/free-port.ts';
import { rightTimeMs } from '../support/machine-environment.ts';
import { until } from '../support/until.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const PAGE = fileURLToPath(new URL('../../../docs/webhooks.md', import.meta.url));
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

interface Receiver {
  readonly url: string;
  /** What it printed after its first line. */
  readonly lines: string[];
}

interface Language {
  /** Of the block of the page. */
  readonly language: string;
  readonly file: string;
  /** Runs without an effect where the language is installed. */
  readonly probe: readonly [command: string, ...words: string[]];
  /** The command that starts the receiver on a port; 0: it chooses one, and prints it. */
  readonly command: (path: string, port: number) => readonly [command: string, ...words: string[]];
  /** Whether it must be given the port. */
  readonly needsPort?: boolean;
}

/** Runs a program whose work, a line that it prints, lasts so long that the doubles of an event overlap. */
const SLOW_WORK = `import builtins, runpy, sys, time
fast = print
builtins.print = lambda *words, **options: (time.sleep(0.05), fast(*words, **options))
runpy.run_path(sys.argv[1])`;

const RECEIVERS: readonly Language[] = [
  {
    language: 'ts',
    file: 'receiver.mts',
    probe: [process.execPath, '--version'],
    command: (path) => [process.execPath, path],
  },
  {
    language: 'python',
    file: 'receiver.py',
    probe: ['python3', '--version'],
    command: (path) => ['python3', '-c', SLOW_WORK, path],
  },
  {
    language: 'go',
    file: 'receiver.go',
    probe: ['go', 'version'],
    command: (path) => {
      const program = path.replace(/\.go$/, '');
      execFileSync('go', ['build', '-o', program, path], { stdio: 'inherit' });
      return [program];
    },
  },
  {
    language: 'php',
    file: 'receiver.php',
    probe: ['php', '--version'],
    command: (path, port) => ['php', '-S', `127.0.0.1:${port}`, path],
    needsPort: true,
  },
];

/** Runs the block of the page in this language, and returns when it listens. */
async function startReceiver(
  t: TestContext,
  { language, file, command, needsPort }: Language,
  secret = SECRET,
) {
  const text = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(
    readFileSync(PAGE, 'utf8'),
  )?.[1];
  assert.ok(text, `${PAGE} has a receiver in ${language}`);
  const folder = temporaryFolder(t);
  const path = join(folder, file);
  writeFileSync(path, text);
  const given = needsPort ? await freePort() : 0;
  const env = { ...process.env, NODE_OPTIONS: '', WEBHOOK_SECRET: secret, PORT: String(given) };
  const [program, ...words] = command(path, given);
  const child: ChildProcess = spawn(program, words, { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  let errors = '';
  const port = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}: ${errors}`)));
    assert.ok(child.stdout && child.stderr);
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      errors += piece;
      if (/Development Server \(.*\) started/.test(errors)) resolve(String(given));
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, found] = /^listening on (\d+)$/.exec(line) ?? [];
      if (found === undefined) lines.push(line);
      else resolve(found);
    });
  });
  return { url: `http://127.0.0.1:${port}/`, lines } satisfies Receiver;
}

interface Message {
  readonly id: string;
  readonly body: string;
  readonly atMs?: number;
  readonly secret?: string;
  /** Sent in place of the signature. */
  readonly signature?: (signature: string) => string;
}

async function deliver(url: string, message: Message): Promise<number> {
  const { id, body, atMs = rightTimeMs(), secret = SECRET, signature = (one: string) => one } = message;
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(atMs / 1_000)),
    'webhook-signature': signature(new Webhook(secret).sign(id, new Date(atMs), body)),
  };
  const response = await fetch(url, { method: 'POST', body, headers });
  await response.arrayBuffer();
  return response.status;
}

/** Sends the head of a request and a part of its body, and resets the connection when the receiver reads. */
async function disconnect(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n');
  await once(socket, 'data');
  socket.write('{');
  socket.resetAndDestroy();
  await once(socket, 'close');
}

function isInstalled({ probe: [command, ...words] }: Language): boolean {
  try {
    execFileSync(command, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

for (const receiver of RECEIVERS) {
  const isMissing = !isInstalled(receiver);
  test(
    `the receiver of the page in ${receiver.language} accepts exactly what is signed, and each event once`,
    {
      skip: isMissing && `this machine has no ${receiver.probe[0]}, so nothing was proved`,
    },
    async (t) => {
      if (receiver.language === 'go' && isSkippedDaily(t)) return;
      const { url, lines } = await startReceiver(t, receiver);
      const body = '{"id":"7.0","type":"inventory.changed","data":{"petId":9007199254740993}}';
      const other = `whsec_${randomBytes(32).toString('base64')}`;
      const send = (message: Partial<Message>) => deliver(url, { id: '7.0', body, ...message });
      assert.equal(await send({ secret: other }), 401);
      assert.equal(await send({ atMs: rightTimeMs() - 400_000 }), 401);
      assert.equal(await send({ atMs: rightTimeMs() + 400_000 }), 401);
      assert.equal(await send({ signature: () => 'v1,' }), 401);
      assert.equal(await send({ signature: (one) => one.replace('v1', 'v1a') }), 401);
      assert.equal(await send({ signature: () => '' }), 401);
      assert.equal(await fetch(url, { method: 'POST', body }).then(({ status }) => status), 401);
      // A receiver that does not read the rest may close the connection before the response is read.
      const long = await send({ body: 'x'.repeat(1_000_001) }).catch(({ cause }: TypeError) =>
        ['EPIPE', 'ECONNRESET'].includes((cause as NodeJS.ErrnoException).code ?? '') ? 413 : cause,
      );
      assert.equal(long, 413);
      assert.deepEqual(lines, []);
      assert.equal(await send({}), 204);
      assert.equal(await send({}), 204, 'the same event again');
      // During a rotation of the secret there are two signatures.
      assert.equal(await send({ id: '7.1', signature: (one) => `v1,AAAA ${one}` }), 204);
      const unicode = '{"type":"order.placed","data":"ä 🐈"}';
      assert.equal(await send({ id: '8.2', body: unicode }), 204);
      // A pipe arrives later than the response.
      await until(() => lines.length >= 3, 'the lines');
      assert.deepEqual(lines, ['7.0 inventory.changed', '7.1 inventory.changed', '8.2 order.placed']);
      // An attempt that had no response in time is repeated while the receiver may still process it.
      for (const id of ['8.3', '8.4', '8.5']) {
        const doubles = Array.from({ length: 4 }, () => send({ id }));
        assert.deepEqual(await Promise.all(doubles), [204, 204, 204, 204]);
      }
      await until(() => lines.join().includes('8.5 '), 'the last event');
      assert.equal(lines.length, 6, 'doubles that arrive together are one event');
      // The server of PHP for trials does not answer before it has the body.
      if (!receiver.needsPort) await disconnect(url);
      // The first of these can be answered before the receiver has noticed the end of the connection.
      for (const id of ['9.0', '9.1', '9.2'])
        assert.equal(await send({ id }), 204, 'after a sender that disconnects');
    },
  );

  test(
    `the receiver of the page in ${receiver.language} accepts nothing without a secret`,
    {
      skip: isMissing && `this machine has no ${receiver.probe[0]}, so nothing was proved`,
    },
    async (t) => {
      if (receiver.language === 'go' && isSkippedDaily(t)) return;
      if (!receiver.needsPort) {
        await assert.rejects(startReceiver(t, receiver, ''), /ended with [1-9][\s\S]*WEBHOOK_SECRET must be/);
        return;
      }
      const { url } = await startReceiver(t, receiver, '');
      const [id, body, timestamp] = [
        '7.0',
        '{"type":"inventory.changed"}',
        Math.floor(rightTimeMs() / 1_000),
      ];
      const signature = createHmac('sha256', '').update(`${id}.${timestamp}.${body}`).digest('base64');
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      };
      assert.equal((await fetch(url, { method: 'POST', body, headers })).status, 401);
    },
  );
}
