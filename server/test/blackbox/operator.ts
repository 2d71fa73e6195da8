import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PetStatus } from '../../src/domain/inventory.ts';
import type { PlanName } from '../../src/domain/plans.ts';
import { MAIN, type ServiceEnvironment } from './service-process.ts';

/** High enough that no test ever meets the limits of its own account or address. */
export const NO_LIMIT = 1_000_000_000;

export interface PetFixture {
  readonly petId: bigint;
  readonly quantity: number;
  readonly status?: PetStatus;
}

/** What a command of the operator's command line printed with `--json`. */
export type CliAnswer = Readonly<Record<string, unknown>>;

/** Runs a command of the operator, with `--json`. */
export type Cli = (...args: string[]) => Promise<CliAnswer>;

export interface Credentials {
  readonly key: string;
  /** The name of the key's account. */
  readonly account: string;
}

/** The operator's command line on the database that the environment names. */
export function operatorCli({ binary, env, folder }: ServiceEnvironment): Cli {
  return async (...args) => {
    const options = { cwd: folder, env };
    const { stdout } = await promisify(execFile)(binary, [MAIN, ...args, '--json'], options);
    return JSON.parse(stdout) as CliAnswer;
  };
}

/** Makes the database, an account and a key; `enterprise` gets limits that are never reached. */
export async function createCredentials(cli: Cli, plan: PlanName = 'enterprise'): Promise<Credentials> {
  const account = `blackbox-${randomUUID()}`;
  const limits =
    plan === 'enterprise' ? ['--per-minute', String(NO_LIMIT), '--per-day', String(NO_LIMIT)] : [];
  await cli('migrate');
  await cli('accounts', 'create', account, '--plan', plan, ...limits);
  const { key } = await cli('keys', 'create', '--account', account);
  return { key: String(key), account };
}

export async function importPets(cli: Cli, folder: string, pets: readonly PetFixture[]): Promise<void> {
  const file = join(folder, 'pets.csv');
  const rows = pets.map(
    ({ petId, quantity, status }) => `${petId},Pet ${petId},dogs,${quantity},${status ?? 'available'}`,
  );
  await writeFile(file, `petId,name,category,quantity,status\n${rows.join('\n')}\n`);
  await cli('pets', 'import', file);
}
