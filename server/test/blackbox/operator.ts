import { randomUUID } from 'node:crypto';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { PetStatus, PlanName, Role } from '@petstore-inventory/shared/words';
import { findAccount } from '../../src/cli/accounts.ts';
import { createKey } from '../../src/cli/keys/new-key.ts';
import { prepareDatabase } from '../../src/cli/prepare-database.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { createId, type Scope } from '../../src/domain/access/api-key.ts';
import { PLAN_LIMITS } from '../../src/domain/access/plans.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { openAdmin } from '../../src/store/open-admin.ts';
import type { OpenedAdminStore } from '../../src/store/schema/database-metadata.ts';
import { runShared } from '../support/shared-commands.ts';
import type { ServiceEnvironment } from './service-process.ts';

/** Too high for a test to reach the limits of its own account or address. */
export const NO_LIMIT = 1_000_000_000;

export interface PetFixture {
  readonly petId: bigint;
  readonly quantity: number;
  readonly status?: PetStatus;
}

/** The output of an operator command with `--json`. */
export type CliAnswer = Readonly<Record<string, unknown>>;

/** Runs a command of the operator, with `--json`. @throws Error with its exit code and what it printed. */
export type Cli = (...args: string[]) => Promise<CliAnswer>;

export interface Credentials {
  readonly key: string;
  /** The name of the key's account. */
  readonly account: string;
}

/** The operator's command line on the database that the environment names. */
export function operatorCli({ env, folder }: Pick<ServiceEnvironment, 'env' | 'folder'>): Cli {
  return async (...args) => {
    const ended = await runShared({ words: [...args, '--json'], folder, env });
    if (ended.code !== 0) throw Object.assign(new Error(`${args.join(' ')}: ${ended.stderr}`), ended);
    return JSON.parse(ended.stdout) as CliAnswer;
  };
}

/** The initial content of a shop. */
export interface ShopOptions {
  /** The plan of its account; `enterprise`, which it has otherwise, gets limits that no test reaches. */
  readonly plan?: PlanName | undefined;
  readonly pets?: readonly PetFixture[] | undefined;
}

/** Runs work on the operator's view of a database, in this process. */
export type WithAdmin = <T>(work: (admin: OpenedAdminStore, config: Config) => Promise<T>) => Promise<T>;

export function withAdminOf({ env }: Pick<ServiceEnvironment, 'env'>): WithAdmin {
  return async (work) => {
    const config = readConfig(env);
    const admin = await openAdmin(config.database);
    try {
      return await work(admin, config);
    } finally {
      await admin.close();
    }
  };
}

/** Makes the database, an account, a key and pets, as the command line does, but in this process. */
export async function prepareShop(
  environment: Pick<ServiceEnvironment, 'env'>,
  { plan = 'enterprise', pets = [] }: ShopOptions,
): Promise<Credentials> {
  await prepareDatabase(readConfig(environment.env));
  return withAdminOf(environment)(async (admin, config) => {
    const account = { id: createId('acc'), name: `blackbox-${randomUUID()}`, plan };
    const limits = plan === 'enterprise' ? { perMinute: NO_LIMIT, perDay: NO_LIMIT } : PLAN_LIMITS[plan];
    await admin.accounts.create({ ...account, limits, createdAtMs: await admin.now() }, CLI_AUTHOR);
    const key = { accountId: account.id, name: 'blackbox', scopes: null, expiresAtMs: null };
    const { secret } = await createKey(config, admin, key);
    if (pets.length > 0) await admin.importPets(pets.map(rowOf), 'cli');
    return { key: secret, account: account.name };
  });
}

export interface KeyFields {
  readonly name?: string;
  readonly scopes?: readonly Scope[];
  readonly expiresAtMs?: number;
}

/** Makes one more key of an account. */
export function makeKey(
  { withAdmin, account }: { readonly withAdmin: WithAdmin; readonly account: string },
  { name = 'blackbox', scopes, expiresAtMs }: KeyFields = {},
): Promise<{ readonly id: string; readonly key: string }> {
  return withAdmin(async (admin, config) => {
    const { id: accountId } = findAccount(await admin.accounts.list(), account);
    const fields = { accountId, name, scopes: scopes ?? null, expiresAtMs: expiresAtMs ?? null };
    const { secret, principal } = await createKey(config, admin, fields);
    return { id: principal.key.id, key: secret };
  });
}

/** Makes a management key. */
export function makeAdminKey({ withAdmin }: { readonly withAdmin: WithAdmin }, role: Role): Promise<string> {
  return withAdmin(async (admin, config) => {
    const { secret } = await createKey(config, admin, { role, name: role, scopes: null, expiresAtMs: null });
    return secret;
  });
}

function rowOf({ petId, quantity, status = 'available' }: PetFixture): PetRow {
  return { petId, name: `Pet ${petId}`, category: 'dogs', quantity, status };
}
