import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setVersion, theVersion } from '../../scripts/release/versions.ts';
import { freePort } from '../../server/test/postgres/support/free-port.ts';
import { temporaryFolder } from '../../server/test/support/command-line.ts';
import { machineEnvironment } from '../../server/test/support/machine-environment.ts';
import { ROOT } from './packages.ts';

/* The commands of docs/upgrading.md for systemd, with other places for the checkout, the unit and the data. */

const NEWER = '1.1.0';
const UNIT = 'petstore.service';

/** The commands of a row of a table, by its first cell. */
function commandsOf(page: string, row: string, column = 1): string[] {
  const line = page.split('\n').find((one) => one.startsWith(`| ${row}`));
  assert.ok(line, row);
  const cell = line.split(/ \| | \|$/)[column] ?? '';
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, command]) => command as string);
}

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function git(folder: string, ...words: readonly string[]): string {
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  return execFileSync('git', [...author, ...words], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}

/** A repository whose tags are the checkout, and the checkout with the next version. */
function repositoryOf(folder: string): { readonly origin: string; readonly older: string } {
  const origin = join(folder, 'origin');
  git(folder, 'clone', '--quiet', ROOT, origin);
  const older = theVersion(origin);
  assert.notEqual(older, NEWER);
  git(origin, 'tag', '--force', `v${older}`);
  setVersion(origin, NEWER);
  git(origin, 'commit', '--quiet', '--all', '--message', `build: release ${NEWER}`);
  git(origin, 'tag', `v${NEWER}`);
  return { origin, older };
}

interface Machine {
  readonly url: string;
  /** Runs a command as a shell does, with the places of this machine. */
  run(command: string): string;
}

/** Places of a machine in a folder, and a systemctl that starts and stops what the unit says. */
async function machineIn(t: TestContext, folder: string): Promise<Machine> {
  const [opt, units, state, cache, bin] = ['opt', 'units', 'state', 'cache', 'bin'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string, string];
  for (const made of [units, state, cache, bin]) mkdirSync(made);
  const port = await freePort();
  const local = (text: string) =>
    text
      .replaceAll('/opt/petstore', opt)
      .replaceAll('/etc/systemd/system', units)
      .replaceAll('/var/lib/petstore', state)
      .replaceAll('/var/cache/petstore', cache);
  const url = `http://127.0.0.1:${port}`;
  const systemctl = `#!/bin/sh
places() { sed 's#/opt/petstore#${opt}#g;s#/var/lib/petstore#${state}#g;s#/var/cache/petstore#${cache}#g' ${units}/${UNIT}; }
case "$1" in
daemon-reload) ;;
start)
  cd ${state} && env $(places | sed -n 's/^Environment=//p') PORT=${port} $(places | sed -n 's/^ExecStart=//p') >>${folder}/log 2>&1 &
  echo $! >${folder}/pid
  for _ in $(seq 300); do curl --silent --fail ${url}/readyz && exit 0; sleep 0.1; done
  exit 1 ;;
stop)
  kill -TERM $(cat ${folder}/pid)
  while kill -0 $(cat ${folder}/pid) 2>/dev/null; do sleep 0.1; done ;;
*) exit 2 ;;
esac
`;
  writeFileSync(join(bin, 'systemctl'), systemctl);
  chmodSync(join(bin, 'systemctl'), 0o755);
  const env = {
    ...machineEnvironment(),
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
  };
  const run = (command: string) => {
    // The user of the service does not exist here.
    const own = local(command).replace(/^runuser -u petstore -- /, '');
    const { status, stdout, stderr } = spawnSync('sh', ['-c', own], {
      cwd: existsOr(opt, folder),
      env,
      encoding: 'utf8',
    });
    assert.equal(status, 0, `${own}\n${stdout}${stderr}`);
    return stdout;
  };
  t.after(() => void spawnSync('sh', ['-c', `kill -KILL $(cat ${folder}/pid)`], { stdio: 'ignore' }));
  return { url, run };
}

function existsOr(wanted: string, other: string): string {
  return spawnSync('test', ['-d', wanted]).status === 0 ? wanted : other;
}

test('the commands for systemd install the next release and the older one again, and the data stays', async (t) => {
  const folder = temporaryFolder(t);
  const { origin, older } = repositoryOf(folder);
  const { url, run } = await machineIn(t, folder);
  // Not by fetch, whose kept connection ends with the service.
  const read = (path: string) => run(`curl --silent --fail ${url}${path}`);
  const build = () => {
    const metrics = read('/metrics');
    return /petstore_build_info\{(?:[^}]*,)?version="([^"]+)"/.exec(metrics)?.[1];
  };
  const operate = commandsOf(textOf('docs/runbook.md'), 'operate')[0] as string;
  const examine = commandsOf(textOf('docs/runbook.md'), 'examine')[0] as string;
  const upgrade = commandsOf(textOf('docs/upgrading.md'), 'systemd');
  assert.equal(upgrade.length, 4, 'stop, install, unit, start');

  run(`git clone --quiet ${origin} /opt/petstore`);
  run(`git checkout --quiet v${older}`);
  const install = upgrade[1] as string;
  const before = upgrade.map((command) => command.replaceAll(`v${NEWER}`, `v${older}`));
  for (const command of before.slice(1)) run(command);
  assert.match(install, /&& npm ci && npm run build --workspace web && npm prune --omit=dev$/);
  assert.equal(build(), older);
  appendFileSync(join(folder, 'pets.csv'), 'petId,quantity\n7,5\n');
  run(operate.replace(/ verify$/, ` pets import ${folder}/pets.csv`));

  for (const command of upgrade) run(command);
  assert.equal(build(), NEWER);
  assert.match(run(operate), /^1 pet, 1 movement: everything is as the ledger says\./);
  run(examine);
  assert.match(read('/docs'), /<title>/, 'the pages are built');

  for (const command of before) run(command);
  assert.equal(build(), older);
  assert.match(run(operate), /^1 pet, 1 movement: everything is as the ledger says\./);
  run('systemctl stop petstore');
});

test('systemd-analyze finds no fault in the unit', (t) => {
  const folder = temporaryFolder(t);
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
    return t.skip('systemd-analyze is not installed');
  }
  const unit = textOf(`deploy/systemd/${UNIT}`)
    .replace(/^ExecStart=.*$/m, `ExecStart=${process.execPath} ${ROOT}/server/bin/petstore-server.js serve`)
    .replaceAll(/^(?:User|Group)=.*$/gm, '');
  writeFileSync(join(folder, UNIT), unit);
  const words = ['verify', '--man=no', join(folder, UNIT)];
  const { status, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
  const own = stderr.split('\n').filter((line) => line.includes(UNIT));
  assert.deepEqual([status, own], [0, []], stderr);
});

test('kubectl renders what the commands for Kubernetes apply', (t) => {
  const commands = commandsOf(textOf('docs/upgrading.md'), 'Kubernetes');
  const apply = commands.find((command) => command.startsWith('kubectl apply')) ?? '';
  const [, place = ''] = /--kustomize (\S+)$/.exec(apply) ?? [];
  const { status, stdout, error } = spawnSync('kubectl', ['kustomize', place], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (error) return t.skip('kubectl is not installed');
  assert.equal(status, 0);
  assert.match(stdout, /^kind: Deployment$/m);
  // The selector of the command for waiting is that of the pods.
  const [, selector = ''] = /--selector (\S+)=/.exec(commands.join('\n')) ?? [];
  assert.ok(stdout.includes(`${selector}: petstore`));
});
