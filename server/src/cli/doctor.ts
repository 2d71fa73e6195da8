import { withProgress } from '@petstore-inventory/shared/terminal/progress';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { count } from '@petstore-inventory/shared/terminal/texts';
import type { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { baseUrlOf, type Config, ConfigError, readConfig } from '../config.ts';
import type { Principal } from '../domain/access/principal.ts';
import { keyState } from '../domain/actions/keys.ts';
import { backupAgeSeconds } from '../domain/newest-backup.ts';
import { machineTimeMs, timestamp } from '../domain/timestamps.ts';
import { shownDatabase } from '../store/open-admin.ts';
import type { DatabaseFacts, OpenedAdminStore } from '../store/schema/database-metadata.ts';
import { addCommand } from './command.ts';
import { fault, type Finding, ok, refusalOf, RESPONSE_TIMEOUT_MS, warning } from './doctor-finding.ts';
import { proxyFinding } from './doctor-proxy.ts';
import { errorSentence } from './error-sentence.ts';
import { FailedResult, type Output, paint, print } from './output.ts';
import { requirePepper } from './pepper.ts';
import { withDatabase } from './with-database.ts';

/** A clock may differ from that of its database by this much. Keys expire and orders end by the clock of the database. */
const MAX_DIFFERENCE_MS = 5_000;
/** The age of a daily backup, with the time that it takes, as in the alert PetstoreBackupOld. */
const DAILY_BACKUP_SECONDS = 26 * 3_600;

/** Adds the command that examines an installation. */
export function addDoctor(program: Command): void {
  addCommand(program, 'doctor', {
    summary: 'check configuration, database, disk, backup, clock, proxy and keys, and say what to type',
    notes:
      'It changes nothing, and the service may run: it is asked at its own address, and through its proxy. It exits with 1 if there is a fault; a warning is none.\n' +
      'Give it the environment of the service: a proxy and an address that only the service has are not seen.',
    example: 'doctor',
  })
    .option(
      '--no-verify',
      'do not recompute the hashes of the ledger, which takes a minute per million movements',
    )
    .action(async ({ verify }: { readonly verify: boolean }, command: Command) => {
      const findings = await withProgress(command, (progress) => {
        progress.show('Examining');
        return examine({ verify });
      });
      const output = described(findings);
      print(command, output);
      if (output.failure !== undefined) throw new FailedResult(output.failure);
    });
}

async function examine({ verify }: { readonly verify: boolean }): Promise<readonly Finding[]> {
  const runtime = ok(
    'versions',
    `petstore-server ${packageJson.version}, ${process.versions.bun ? `Bun ${process.versions.bun}` : `Node ${process.versions.node}`}.`,
  );
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const help = 'petstore-server serve --help';
    return [runtime, ...error.faults.map((message) => fault('configuration', message, help))];
  }
  const found = [runtime, ok('configuration', 'Each variable has a value that it may have.')];
  try {
    return await withDatabase(
      config,
      async (store, settings) => [...found, ...(await examineDatabase(store, config, settings, verify))],
      { left: 'accept', isUnchanged: true },
    );
  } catch (error) {
    const sentence = errorSentence(error);
    return [...found, fault('database', sentence, commandOf(sentence))];
  }
}

/** Examines an open database, and the service by its recorded settings. */
export async function examineDatabase(
  store: OpenedAdminStore,
  config: Config,
  settings: Config,
  verify: boolean,
): Promise<readonly Finding[]> {
  const facts = await store.inspect(config.databaseCapacity === 0 ? undefined : config.databaseCapacity);
  // Before the verification, which may take minutes: they would count as a difference of the clocks.
  const clock = clockFinding(facts);
  return [
    ok('versions', `${facts.version}.`),
    ...databaseFindings(store, config),
    ...(verify ? [await ledgerFinding(store)] : []),
    diskFinding(facts.freeBytes, config),
    ...(store.isSample ? [] : [backupFinding(facts)]),
    clock,
    await proxyFinding(baseUrlOf(settings, store.environment), settings),
    await keysFinding(store, config),
    await serviceFinding(store, settings),
  ];
}

function databaseFindings({ move, isSample }: OpenedAdminStore, { database }: Config): Finding[] {
  const name = shownDatabase(database);
  if (move?.movedTo !== undefined) {
    return [
      fault(
        'database',
        `The shop of ${name} moved to ${move.movedTo}.`,
        `export PETSTORE_DATABASE=${move.movedTo}`,
      ),
    ];
  }
  const current = ok('database', `${name} can be read, and has the schema of this release.`);
  if (!isSample) return [current];
  return [
    current,
    warning(
      'database',
      `${name} has the sample of start, which is no shop.`,
      'export PETSTORE_DATABASE=sqlite:./data/shop.db',
    ),
  ];
}

async function ledgerFinding(store: OpenedAdminStore): Promise<Finding> {
  const { faults, movements, head } = await store.verify();
  if (faults.length > 0) {
    return fault('ledger', `${count(faults.length, 'fault')} found: ${faults[0]}`, 'petstore-server verify');
  }
  if (movements === 0)
    return warning('ledger', 'There is no movement yet.', 'petstore-server pets import pets.csv');
  return ok(
    'ledger',
    `All hashes and balances are right. The ledger ends at movement ${head.sequence}, hash ${head.hash}.`,
  );
}

function diskFinding(freeBytes: number | undefined, { diskReserveBytes }: Config): Finding {
  if (freeBytes === undefined) {
    return warning(
      'disk',
      'The server of the database does not report its disk.',
      'export PETSTORE_DATABASE_CAPACITY=<bytes that the database may take>',
    );
  }
  const free = `${Math.floor(freeBytes / 1e6)} MB are free`;
  if (freeBytes >= diskReserveBytes) return ok('disk', `${free}.`);
  return fault(
    'disk',
    `${free}, less than PETSTORE_DISK_RESERVE (${Math.floor(diskReserveBytes / 1e6)} MB): imports are refused, and soon changes are.`,
    'df -h',
  );
}

function backupFinding({ newestBackup, nowMs }: DatabaseFacts): Finding {
  const fix = 'petstore-server backup --to <folder>';
  if (!newestBackup) {
    return warning(
      'backup',
      'No verified backup is recorded: the loss of the disk is that of the shop.',
      fix,
    );
  }
  const ageSeconds = backupAgeSeconds(newestBackup, nowMs);
  const newest = `The newest verified backup is of ${timestamp(newestBackup.madeAtMs)}`;
  if (ageSeconds <= DAILY_BACKUP_SECONDS) return ok('backup', `${newest}.`);
  return warning('backup', `${newest}: ${count(Math.floor(ageSeconds / 3_600), 'hour')} ago.`, fix);
}

function clockFinding({
  nowMs,
  clockFault,
}: {
  readonly nowMs: number;
  readonly clockFault: string | undefined;
}): Finding {
  if (clockFault !== undefined) return fault('clock', clockFault, 'timedatectl');
  const differenceMs = Math.abs(machineTimeMs() - nowMs);
  if (differenceMs <= MAX_DIFFERENCE_MS)
    return ok('clock', 'The clock fits that of the database and the newest movement.');
  return warning(
    'clock',
    `The clock of this machine differs from that of the database by ${Math.round(differenceMs / 1_000)} s. The service uses that of the database.`,
    'timedatectl set-ntp true',
  );
}

async function keysFinding(store: OpenedAdminStore, config: Config): Promise<Finding> {
  const wrongPepper = refusalOf(() => requirePepper(config, store.pepperCheck));
  if (wrongPepper !== undefined) return fault('keys', wrongPepper);
  const nowMs = await store.now();
  const isActive = ({ key }: Principal) => keyState(key, nowMs) === 'active';
  const managers = (await store.keys.list({ kind: 'management' })).filter(isActive);
  if (!managers.some(({ key }) => key.role === 'administrator')) {
    const create = 'petstore-server admin-keys create --role administrator --name operator';
    return warning(
      'keys',
      'No administrator key works, and the dashboard needs one to manage the shop.',
      create,
    );
  }
  const clients = (await store.keys.list()).filter(isActive).length;
  return ok('keys', `An administrator key works, and ${count(clients, 'key')} of accounts.`);
}

async function serviceFinding({ settings: recorded }: OpenedAdminStore, { host }: Config): Promise<Finding> {
  const start = 'petstore-server serve';
  if (recorded.PORT === undefined) return warning('service', 'No service has used this database yet.', start);
  const url = `http://${localHost(host)}:${recorded.PORT}/readyz`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
    if (response.ok) return ok('service', `${url} is ready.`);
    return fault('service', `${url} returned ${response.status}: ${reasonOf(await response.text())}`);
  } catch {
    return warning('service', `${url} does not answer: the service does not run on this machine.`, start);
  }
}

/** The sentence of an error of the service; what another program answered, as it is. */
function reasonOf(body: string): string {
  const message = messageOf(body);
  return safe((typeof message === 'string' ? message : body.trim()).slice(0, 300));
}

function messageOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { readonly message?: unknown } | null)?.message;
  } catch {
    return undefined;
  }
}

/** Where a service that listens on an address is reached from its machine. */
function localHost(host: string): string {
  if (['', '0.0.0.0', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** The command that a sentence names. */
function commandOf(text: string): string | null {
  return /petstore-server [a-z-]+(?: <\w+>| --\w+)*/.exec(text)?.[0] ?? null;
}

function described(findings: readonly Finding[]): Output {
  const faults = findings.filter(({ state }) => state === 'fault').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  const lines = findings.flatMap(({ check, state, message, fix }) => [
    `${paint.state(state)}${' '.repeat(9 - state.length)}${check.padEnd(15)}${message}`,
    ...(fix === null ? [] : [`${' '.repeat(24)}$ ${fix}`]),
  ]);
  const sum = `${count(faults, 'fault')}, ${count(warnings, 'warning')}.`;
  return {
    value: { faults, warnings, findings },
    text: [...lines, '', sum].join('\n'),
    ...(faults > 0 && { failure: `${count(faults, 'fault')} found.` }),
  };
}
