import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { pepperCheck } from '../../src/cli/pepper.ts';
import { openAdmin, prepareStore } from '../../src/store/open-admin.ts';
import type { OpenedAdminStore } from '../../src/store/schema/database-metadata.ts';
import { MAIN, SOURCE } from './bundle/service-program.ts';
import type { Ended } from './command-process.ts';
import { machineEnvironment } from './machine-environment.ts';
import { runShared } from './shared-commands.ts';
import { newDatabase, type TestDatabase, testEngine } from './test-database.ts';

const BUN = fileURLToPath(new URL('../../../node_modules/.bin/bun', import.meta.url));

/** Commands that keep a database open, also after a failure. */
const SERVING = new Set(['serve', 'start']);

/** Runs one command line of the operator. */
export type CommandLine = (...words: readonly string[]) => Promise<Ended>;

/** A folder that goes away with the test. */
export function temporaryFolder(t: Pick<TestContext, 'after'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/**
 * The machine's environment without variables of the service, and with a database in a folder.
 * @param extra More variables; `undefined` leaves one out.
 */
export function environmentOf(folder: string, extra: Readonly<NodeJS.ProcessEnv> = {}): NodeJS.ProcessEnv {
  return {
    ...machineEnvironment(),
    PORT: '0',
    PETSTORE_HOST: '127.0.0.1',
    // A start would build it.
    PETSTORE_DASHBOARD: 'off',
    PETSTORE_DATABASE: `sqlite:${join(folder, 'petstore.db')}`,
    ...extra,
  };
}

/**
 * The operator's command line on the database of a folder. With a runtime each command has its own process; without one,
 * only those that serve have, and the others share one.
 */
export function commandLine(
  folder: string,
  { runtime, env: extra = {} }: { runtime?: 'node' | 'bun'; env?: Readonly<Record<string, string>> } = {},
): CommandLine {
  const env = environmentOf(folder, extra);
  const [binary, main] = runtime === 'bun' ? [BUN, SOURCE] : [process.execPath, MAIN];
  return (...words) => {
    const isShared = runtime === undefined && !SERVING.has(words[0] ?? '');
    return isShared ? runShared({ words, folder, env }) : run(binary, [main, ...words], folder, env);
  };
}

/** Runs a program to its end. */
export function run(
  binary: string,
  words: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output.stderr += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
}

/** The output of a successful command with `--json`. */
export async function json(cli: CommandLine, ...words: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await cli(...words, '--json');
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** The pepper of `newAdminStore`. */
export const TEST_PEPPER = Buffer.alloc(32, 'pepper');

/** A new database with its admin store, closed with the test. */
export async function newAdminStore(
  t: TestContext,
): Promise<{ store: OpenedAdminStore; database: TestDatabase }> {
  const database = await newDatabase(t);
  await prepareStore(database.url, [], () => ({
    environment: 'production',
    pepperCheck: pepperCheck(TEST_PEPPER),
  }));
  const store = await openAdmin(database.url, { pepper: () => TEST_PEPPER });
  t.after(() => store.close());
  return { store, database };
}

/** A new database with its admin store and the operator's command line, which reads files of the folder. */
export async function newCliShop(
  t: TestContext,
): Promise<{ store: OpenedAdminStore; database: TestDatabase; folder: string; cli: CommandLine }> {
  const { store, database } = await newAdminStore(t);
  const folder = temporaryFolder(t);
  const env = { ...testEngine().variables, PETSTORE_DATABASE: database.url };
  return { store, database, folder, cli: commandLine(folder, { env }) };
}

/** A row of a file of pets; a test sets only the fields that matter to it. */
export function petRow(petId: number | bigint, fields: Partial<PetRow> = {}): PetRow {
  return { name: null, category: null, quantity: 1, status: 'available', ...fields, petId: BigInt(petId) };
}
