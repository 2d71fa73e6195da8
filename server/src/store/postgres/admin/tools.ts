import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { changedAddress, serversOf } from '../../../domain/database-address.ts';
import { OperatorError } from '../../../domain/errors.ts';
import { checkedTls } from '../address.ts';

type ToolName = 'pg_dump' | 'pg_restore' | 'psql';

/** A client program of PostgreSQL that was found. */
export interface Tool {
  readonly name: ToolName;
  /** What starts it. */
  readonly path: string;
  readonly version: string;
  readonly major: number;
}

/** An address for the programs of PostgreSQL. The environment has the password: others can read a command line. */
export interface ToolAddress {
  readonly address: string;
  readonly environment: NodeJS.ProcessEnv;
}

const VERSION = /\(PostgreSQL\) ((\d+)\S*)/;
/** The first lines of an error say what is wrong; a tool can print thousands. */
const MAX_ERROR_CHARACTERS = 2_000;

/** Differs from the name of an instance, because a restore refuses a database with instances. */
export const SESSION_NAME = 'petstore-server backup';

/** Parameters of an address that PostgreSQL's own programs know. They refuse those that only `pg` knows. */
const KNOWN_PARAMETERS = new Set([
  'host',
  'hostaddr',
  'port',
  'dbname',
  'user',
  'sslmode',
  'sslcert',
  'sslkey',
  'sslrootcert',
  'sslcrl',
  'sslnegotiation',
  'connect_timeout',
  'options',
  'target_session_attrs',
  'channel_binding',
  'gssencmode',
]);

/**
 * Finds a client program of PostgreSQL.
 * @param folder Where it is; empty: on PATH.
 * @throws OperatorError when there is none, or it does not start.
 */
export async function findTool(name: ToolName, folder: string): Promise<Tool> {
  const path = folder === '' ? name : join(folder, name);
  const { stdout, stderr, code } = await outputOf(path, ['--version']).catch((error: unknown) => {
    const { code: reason, message } = error as NodeJS.ErrnoException;
    const place = folder === '' ? `${name} is not found on PATH` : `There is no ${path}`;
    throw new OperatorError(
      reason === 'ENOENT'
        ? `${place}; install PostgreSQL's client programs (Debian: apt-get install postgresql-client), or set PETSTORE_POSTGRES_TOOLS to their folder.`
        : `${path} does not start (${message}).`,
      { cause: error },
    );
  });
  const [, version = '', major] = VERSION.exec(stdout) ?? [];
  if (code !== 0 || major === undefined) {
    throw new OperatorError(
      `${path} does not tell its version (${firstLines(stderr) || firstLines(stdout) || `exit code ${code}`}); set PETSTORE_POSTGRES_TOOLS to the folder of PostgreSQL's client programs.`,
    );
  }
  return { name, path, version, major: Number(major) };
}

/** @throws OperatorError for a program that is older than the server, which it could not read completely. */
export function refuseOlderTool({ path, version, major }: Tool, serverMajor: number): void {
  if (major >= serverMajor) return;
  throw new OperatorError(
    `${path} is of PostgreSQL ${version}, older than the server (${serverMajor}); install the client programs of ${serverMajor} or newer, or set PETSTORE_POSTGRES_TOOLS to their folder.`,
  );
}

/** @param url A `postgres:` address as `pg` reads it. */
export function toolAddress(url: string): ToolAddress {
  let password = '';
  // Without the file of an authority these programs would refuse each server in that mode.
  const checked = url.includes('sslrootcert=') ? checkedTls(url) : url;
  const address = changedAddress(checked, (changed) => {
    const parameters = changed.searchParams;
    password = decodeURIComponent(changed.password) || parameters.get('password') || '';
    const ssl = parameters.get('ssl');
    const [authority, ...own] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => parameters.get(name));
    // `pg` connects with TLS alone where a file is given; these programs would accept a server without it.
    const hasTls = Boolean(authority) || own.some(Boolean) || ['true', '1'].includes(ssl ?? '');
    if (!parameters.has('sslmode') && (hasTls || ssl !== null)) {
      parameters.set('sslmode', authority ? 'verify-full' : hasTls ? 'require' : 'disable');
    }
    // These programs do not know `no-verify`, and with `prefer` they send all in clear text to a server that says it has no TLS.
    if (['no-verify', 'prefer'].includes(parameters.get('sslmode') ?? ''))
      parameters.set('sslmode', 'require');
    if (serversOf(url).length > 1) parameters.set('target_session_attrs', 'read-write');
    for (const name of [...parameters.keys()]) {
      if (!KNOWN_PARAMETERS.has(name)) parameters.delete(name);
    }
    changed.password = '';
    // URLSearchParams writes a space as a plus sign, which libpq takes literally.
    changed.search = changed.search.replaceAll('+', '%20');
  });
  return {
    address,
    environment: {
      ...process.env,
      PGAPPNAME: SESSION_NAME,
      ...(password !== '' && { PGPASSWORD: password }),
    },
  };
}

/** Runs a program to its end. @throws OperatorError with what it printed when it fails. */
export async function runTool(
  tool: Tool,
  words: readonly string[],
  {
    environment = process.env,
    onStart,
  }: { environment?: NodeJS.ProcessEnv; onStart?: (child: ChildProcess) => void } = {},
): Promise<string> {
  const { code, stdout, stderr } = await outputOf(tool.path, words, environment, onStart);
  if (code !== 0) throw failedTool(tool, stderr, code);
  return stdout;
}

export function failedTool({ name }: Tool, stderr: string, code: number | null): OperatorError {
  return new OperatorError(`${name} failed: ${firstLines(stderr) || `exit code ${code ?? 'none'}`}.`);
}

/** The errors that a program printed, as one line. */
function firstLines(text: string): string {
  return text
    .slice(0, MAX_ERROR_CHARACTERS)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 3)
    .join('; ')
    .replace(/\.$/, '');
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function outputOf(
  path: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  onStart: (child: ChildProcess) => void = () => {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    onStart(child);
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (output.stderr.length < MAX_ERROR_CHARACTERS) output.stderr += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
}
