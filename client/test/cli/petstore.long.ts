import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Service, startService } from '../../../server/test/blackbox/service.ts';
import { run, temporaryFolder } from '../../../server/test/support/command-line.ts';
import { machineEnvironment } from '../../../server/test/support/machine-environment.ts';
import { EXIT } from '../../cli/exit-codes.ts';
import { bundleOf } from './support/bundle.ts';
import { onTerminal, type Step } from './support/terminal.ts';

const LARGE = 9007199254740993n;
const PETS = 20_000;
const pets = Array.from({ length: PETS }, (_, i) => ({ petId: BigInt(i + 1), quantity: i % 100 })).concat([
  { petId: LARGE, quantity: 5 },
]);
const BUN = fileURLToPath(new URL('../../../node_modules/.bin/bun', import.meta.url));
const COLOUR = `${String.fromCharCode(27)}[`;
const CTRL_C = String.fromCharCode(3);
const ENTER = '\r';

/** The Node of the machine, that of the repository, and Bun. */
const RUNTIMES = { 'node of the machine': outerNode(), 'node of the repository': process.execPath, bun: BUN };

/** The first Node of the path that is not of the repository. */
function outerNode(): string {
  const folders = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  const found = folders
    .map((folder) => join(folder, 'node'))
    .find((file) => statSync(file, { throwIfNoEntry: false }));
  return found ?? process.execPath;
}

interface Machine {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly words: readonly string[];
  readonly service: Service;
}

function machineOf(t: TestContext, service: Service, runtime: string, bundle: string): Machine {
  const home = temporaryFolder(t);
  const env = { ...machineEnvironment(), HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home };
  return { home, env, words: [runtime, bundle], service };
}

/** Runs the bundle with pipes. */
function piped({ words: [binary = '', file = ''], home, env }: Machine, ...words: string[]) {
  return run(binary, [file, ...words], home, env);
}

async function logIn(machine: Machine): Promise<void> {
  const { service, home, env, words } = machine;
  const steps: Step[] = [
    ['Address of the service', `${service.url}${ENTER}`],
    ['API key', `${service.key}${ENTER}`],
  ];
  const { code, screen } = await onTerminal([...words, 'login'], env, steps);
  assert.equal(code, EXIT.done, screen);
  assert.match(screen, /The key works at/);
  assert.ok(!screen.includes(service.key.slice(9)), 'the key is not shown');
  assert.equal(statSync(join(home, 'petstore/login.json')).mode & 0o777, 0o600);
  const left = await onTerminal([...words, 'login'], env, [['Address of the service', CTRL_C]]);
  assert.equal(left.code, EXIT.interrupted);
}

async function importOnTerminal({ home, env, words }: Machine): Promise<void> {
  const file = join(home, 'stock.ndjson');
  const rows = [`{"petId":${LARGE},"quantity":50,"status":"sold"}`, '{"petId":1,"quantity":1e2}'];
  writeFileSync(file, `${rows.join('\n')}\n`);
  const declined = await onTerminal([...words, 'import', file], env, [
    ['Change 2 pets? [y/N] ', `n${ENTER}`],
  ]);
  assert.equal(declined.code, EXIT.failed);
  assert.match(declined.screen, /Nothing was changed/);
  const done = await onTerminal([...words, 'import', file], env, [['Change 2 pets? [y/N] ', `y${ENTER}`]]);
  assert.equal(done.code, EXIT.done, done.screen);
  assert.match(done.screen, /Comparing with the stock … \[-+\] 0 of 2/);
  assert.match(done.screen, /2 pets changed, 0 unchanged, 0 refused\./);
}

for (const [name, runtime] of Object.entries(RUNTIMES)) {
  test(`on a terminal and in pipes: ${name}`, async (t) => {
    const bundle = await bundleOf(t);
    t.diagnostic(execFileSync(runtime, ['--version'], { encoding: 'utf8' }).trim());
    const machine = machineOf(t, await startService(t, { pets }), runtime, bundle.file);
    const { words, env, home } = machine;
    await logIn(machine);
    const shown = await onTerminal([...words, 'list', '--limit', '3'], env);
    assert.ok(shown.screen.includes(COLOUR));
    const plain = await piped(machine, 'list', '--limit', '3');
    assert.equal(
      plain.stdout,
      'PET  QUANTITY  STATUS\n  1         0  available\n  2         1  available\n  3         2  available\n',
    );
    assert.ok(
      !(await onTerminal([...words, 'list', '--limit', '3'], { ...env, NO_COLOR: '1' })).screen.includes(
        COLOUR,
      ),
    );

    const head = await run(
      'bash',
      ['-c', `set -o pipefail; "${words.join('" "')}" list | head -1`],
      home,
      env,
    );
    assert.deepEqual(head, { code: 0, stdout: `${' '.repeat(13)}PET  QUANTITY  STATUS\n`, stderr: '' });
    await importOnTerminal(machine);
    const pet = await piped(machine, 'get', String(LARGE), '--json');
    assert.match(pet.stdout, /^\{"petId":9007199254740993,"quantity":50,"status":"sold",/);
    const watched = await onTerminal([...words, 'watch', '--after', '0'], env, [['pet 20000', CTRL_C]]);
    assert.equal(watched.code, EXIT.interrupted);
    assert.doesNotMatch(watched.screen, /error/);
  });
}

/** A service that answers everything with one status. */
async function failingService(t: TestContext, status: number, code: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'request-1' });
    response.end(JSON.stringify({ code, message: 'It failed.', status }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const PROMPT = 'ready> ';

/** Empties the line. */
const CTRL_U = String.fromCharCode(21);

/** How each shell loads the completion when it starts: its files in the home folder, and its words. */
const SHELLS = {
  bash: ['.bashrc', `source <(petstore completion bash)\nPS1='${PROMPT}'\n`],
  zsh: ['.zshrc', `autoload -U compinit\ncompinit -u\nsource <(petstore completion zsh)\nPS1='${PROMPT}'\n`],
  fish: [
    '.config/fish/config.fish',
    `petstore completion fish | source\nfunction fish_prompt\n  echo -n '${PROMPT}'\nend\n`,
  ],
} as const;

test('Tab completes in the shells of the machine', async (t) => {
  const { file } = await bundleOf(t);
  const home = temporaryFolder(t);
  writeFileSync(join(home, 'petstore'), `#!/bin/sh\nexec "${outerNode()}" "${file}" "$@"\n`, { mode: 0o755 });
  const env = { ...machineEnvironment(), HOME: home, PATH: `${home}:${process.env.PATH}` };
  mkdirSync(join(home, '.config/fish'), { recursive: true });
  for (const [shell, [name, text]] of Object.entries(SHELLS)) {
    const isThere = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, shell)));
    t.diagnostic(`${shell}: ${isThere ? 'tried' : 'not on this machine'}`);
    if (!isThere) continue;
    writeFileSync(join(home, name), text);
    await onTerminal([shell, '-i'], env, [
      [PROMPT, 'petstore orders c\t'],
      ['orders cancel', `${CTRL_U}petstore adjust 42 --reason sh\t`],
      ['shrinkage', `${CTRL_U}petstore list --sta\t`],
      ['--status', `${CTRL_U}exit${ENTER}`],
    ]);
  }
});

test('every exit code, of real processes', async (t) => {
  const { file } = await bundleOf(t);
  const service = await startService(t, { plan: 'free', pets: [{ petId: 7n, quantity: 5 }] });
  const base = machineOf(t, service, outerNode(), file);
  const withUrl = (url: string): Machine => ({
    ...base,
    env: { ...base.env, PETSTORE_URL: url, PETSTORE_API_KEY: service.key },
  });
  const machine = withUrl(service.url);
  const codeOf = async (of: Machine, line: string) => (await piped(of, ...line.split(' '))).code;
  assert.equal(await codeOf(machine, 'get 7'), EXIT.done);
  assert.equal(
    await codeOf(withUrl(await failingService(t, 500, 'internal_error')), 'get 7 --max-wait 0'),
    EXIT.failed,
  );
  assert.equal(await codeOf(machine, 'adjust 7 many --reason sold'), EXIT.wrongUsage);
  assert.equal(await codeOf(machine, 'adjust 7 -6 --reason sold'), EXIT.refused);
  for (const pet of ['8', 'seven']) assert.equal(await codeOf(machine, `get ${pet}`), EXIT.notFound);
  assert.equal(await codeOf(base, 'get 7'), EXIT.notAllowed);
  assert.equal(
    await codeOf(withUrl(await failingService(t, 503, 'service_unavailable')), 'get 7 --max-wait 0'),
    EXIT.unreachable,
  );
  assert.equal(await codeOf(withUrl('http://127.0.0.1:1'), 'get 7 --max-wait 0'), EXIT.unreachable);
  const headers = { Authorization: `Bearer ${service.key}` };
  let status = 200;
  while (status !== 429) {
    const response = await fetch(`${service.url}/v1/inventory`, { headers });
    await response.text();
    status = response.status;
  }
  assert.equal(await codeOf(machine, 'get 7 --max-wait 0'), EXIT.limited);
});

test('a killed and an interrupted import continue, and change nothing twice', async (t) => {
  const { file: bundle } = await bundleOf(t);
  const service = await startService(t, { pets });
  const base = machineOf(t, service, process.execPath, bundle);
  const machine = { ...base, env: { ...base.env, PETSTORE_URL: service.url, PETSTORE_API_KEY: service.key } };
  const { home, env, words } = machine;
  const file = join(home, 'delivery.csv');
  writeFileSync(file, `petId,quantity\n${pets.map(({ petId }) => `${petId},2`).join('\n')}\n`);
  const line = ['import', file, '--add', '--reason', 'received', '--yes'];
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const child = spawn(words[0] as string, [words[1] as string, ...line], {
      cwd: home,
      env,
      stdio: 'ignore',
    });
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    const results = () => {
      const [name] = readdirSync(home, { recursive: true })
        .map(String)
        .filter((path) => path.endsWith('.ndjson'));
      return name === undefined
        ? 0
        : (readFileSync(join(home, name), 'utf8').match(/"applied"/g) ?? []).length;
    };
    const before = results();
    while (results() < before + 3 && child.exitCode === null) await new Promise(setImmediate);
    child.kill(signal);
    const [code, endedBy] = await ended;
    assert.ok(code === EXIT.interrupted || endedBy === signal, `${code} ${endedBy}`);
  }
  const last = await piped(machine, ...line);
  assert.match(last.stdout, /20,001 pets changed, 0 unchanged, 0 refused\.\n$/);
  const list = await piped(machine, 'list', '--json');
  const quantities = list.stdout
    .trimEnd()
    .split('\n')
    .map((row) => (JSON.parse(row) as { quantity: number }).quantity);
  assert.deepEqual(
    quantities,
    pets.map(({ quantity }) => quantity + 2),
  );
});
