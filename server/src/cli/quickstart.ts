import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DAY_MS } from '@petstore-inventory/shared/durations';
import { count } from '@petstore-inventory/shared/terminal/texts';
import type { Config } from '../config.ts';
import { VARIABLES } from '../config-variables.ts';
import { createAccount } from '../domain/actions/accounts.ts';
import type { AdminStore } from '../domain/admin-store.ts';
import { UNEXPLAINED } from '../domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../domain/management/activity.ts';
import type { Order } from '../domain/orders/orders.ts';
import { isExecutable, releaseFile } from '../process/release-files.ts';
import type { WriteCommand } from '../domain/write-command.ts';
import { isPostgres } from '../store/open-engine.ts';
import { createKey } from './keys/new-key.ts';
import { findManagementKeys, makeSignInLink } from './keys/sign-in-link.ts';
import type { Output } from './output.ts';
import { importPetFile } from './pets/import-pets.ts';
import { prepareDatabase } from './prepare-database.ts';
import { withDatabase } from './with-database.ts';

const SAMPLE_SHOP = 'sample/pets.csv';
/** Where `start` has its sample shop, unless PETSTORE_DATABASE names another database: never where a shop is. */
export const SAMPLE_DATABASE = 'sqlite:./data/sample.db';
const DEMO = { name: 'demo', plan: 'pro' } as const;

/**
 * Makes the database, and fills a new one with the sample shop. An empty database that `migrate` made stays empty.
 * @returns Whether the database is a sample, and how many pets this call put in.
 */
export async function prepareFirstLook(
  config: Config,
  { sample }: { sample: boolean },
): Promise<{ isSample: boolean; samplePets: number }> {
  const { isEmpty, isSample } = await prepareDatabase(config, sample ? 'make' : 'accept');
  if (!isEmpty || !isSample) return { isSample, samplePets: 0 };
  const { created } = await importPetFile(config, releaseFile(SAMPLE_SHOP), { sample: 'accept' });
  await withDatabase(config, placeSampleOrders);
  return { isSample, samplePets: created };
}

interface DemoKey {
  /** An account that can get more keys. */
  readonly account: string;
  /** The key, if this start made one. */
  readonly key: string | undefined;
  /** A management key of an administrator, made with the key. */
  readonly adminKey: string | undefined;
}

/**
 * Makes the demo account and its key, unless the database has keys or other accounts.
 * Called after the service listens, because a start that fails would hide a key that is shown only once.
 */
export async function makeDemoKey(config: Config): Promise<DemoKey> {
  return withDatabase(config, async (store) => {
    const accounts = await store.accounts.list();
    const demo = accounts.find(({ name }) => name === DEMO.name);
    const own = accounts.find((account) => account !== demo);
    const keys = await Promise.all([store.keys.list(), store.keys.list({ kind: 'management' })]);
    if (own || keys.flat().length > 0) {
      return { account: (demo ?? own)?.name ?? DEMO.name, key: undefined, adminKey: undefined };
    }
    const accountId = demo?.id ?? (await createAccount(store, DEMO, CLI_AUTHOR)).id;
    const fields = { name: DEMO.name, scopes: null, expiresAtMs: null };
    const { secret: key } = await createKey(config, store, { ...fields, accountId });
    const { secret: adminKey } = await createKey(config, store, { ...fields, role: 'administrator' });
    return { account: DEMO.name, key, adminKey };
  });
}

/** A link to the dashboard for the first administrator; `undefined` without one. */
export async function makeFirstLink(config: Config, url: string): Promise<string | undefined> {
  return withDatabase(config, async (store) => {
    const [key] = await findManagementKeys(store);
    return key && (await makeSignInLink(config, store, key, url)).link;
  });
}

interface FirstLook extends DemoKey {
  readonly url: string;
  readonly database: string;
  /** Pets that this start put in. */
  readonly samplePets: number;
  /** Whether the database is a sample. */
  readonly isSample: boolean;
  /** Why the dashboard is not built, as a sentence. */
  readonly problem: string | undefined;
  /** Signs in to the dashboard one time. */
  readonly signInLink: string | undefined;
}

/** The banner of `start`: addresses, and how to send the first request. */
export function describeFirstLook(look: FirstLook): Output {
  const { url, database, samplePets, isSample, problem, signInLink, account, key, adminKey } = look;
  const value = {
    url,
    api: `${url}/v1`,
    docs: `${url}/docs`,
    health: `${url}/healthz`,
    database,
    samplePets,
    isSample,
    account,
    key: key ?? null,
    adminKey: adminKey ?? null,
    signInLink: signInLink ?? null,
    dashboardProblem: problem ?? null,
  };
  const data =
    samplePets === 0 ? database : `${database}, new, with a sample shop of ${count(samplePets, 'pet')}`;
  const text = [
    'The pet store is open.',
    '',
    `  Home           ${url}/`,
    `  API            ${value.api}`,
    `  Documentation  ${value.docs}`,
    `  Health         ${value.health}`,
    `  Data           ${data}`,
    '',
    ...(key === undefined || adminKey === undefined
      ? existingText(account, database)
      : keyText({ key, adminKey, url })),
    ...(problem === undefined ? [] : ['', problem]),
    ...(signInLink === undefined ? [] : linkText(signInLink)),
    '',
    ...(isSample ? sampleText(database) : []),
    'Press Ctrl-C to stop. The next start has the same data.',
  ].join('\n');
  return { value, text };
}

function keyText({ key, adminKey, url }: { key: string; adminKey: string; url: string }): string[] {
  return [
    `API key of account ${DEMO.name} (plan ${DEMO.plan}), shown only this once:`,
    '',
    `  export KEY=${key}`,
    '',
    'Management key (role administrator), shown only this once:',
    '',
    `  export ADMIN_KEY=${adminKey}`,
    '',
    'Try them in another terminal, after those exports:',
    '',
    `  curl -H "Authorization: Bearer $KEY" ${url}/v1/inventory`,
    `  curl -H "Authorization: Bearer $ADMIN_KEY" ${url}/admin/v1/system`,
  ];
}

function linkText(link: string): string[] {
  return [
    '',
    'Sign in to the dashboard, one time within 10 minutes; the command login-link makes another link:',
    '',
    `  ${link}`,
  ];
}

/** The lines that say how commands find the database of the sample, which is not their default. */
function sampleText(database: string): string[] {
  return [
    'This is a sample: a shop of your own starts in another database. Commands use the sample after:',
    '',
    `  export PETSTORE_DATABASE=${isPostgres(database) ? 'postgres://…' : shellQuoted(database)}`,
    '',
  ];
}

/** The commands for other keys. They name the database, because the other terminal may have no PETSTORE_DATABASE. */
function existingText(account: string, database: string): string[] {
  const isDefault = database === VARIABLES.database.default;
  // The shown address of a PostgreSQL database lacks its password.
  const setting = isDefault || isPostgres(database) ? '' : `PETSTORE_DATABASE=${shellQuoted(database)} `;
  const program = `${setting}${programText()}`;
  const where = isPostgres(database) ? ', with the same PETSTORE_DATABASE and PETSTORE_PEPPER' : '';
  return [
    `The database has pets, accounts and keys already. A key is shown only once; to make others${where}:`,
    '',
    `  ${program} keys create --account ${shellQuoted(account)}`,
    `  ${program} admin-keys create --role administrator --name operator`,
  ];
}

/** How the other terminal, in the same folder, starts this program. */
function programText(): string {
  if (isExecutable()) return shellQuoted(process.execPath);
  // Without an installation npx would offer the package of a stranger.
  if (isInstalledAbove(process.cwd())) return 'npx petstore-server';
  return [process.execPath, process.argv[1] ?? ''].map(shellQuoted).join(' ');
}

function isInstalledAbove(folder: string): boolean {
  if (existsSync(join(folder, 'node_modules/.bin/petstore-server'))) return true;
  return dirname(folder) !== folder && isInstalledAbove(dirname(folder));
}

/** A word of a POSIX shell's command line. */
function shellQuoted(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Places the orders of the sample shop: one that waits for its approval, and one that is delivered in part. */
export async function placeSampleOrders(store: AdminStore): Promise<void> {
  await orderAfter(store, {
    kind: 'place',
    lines: [{ petId: 26n, quantity: 6 }],
    expiresAtMs: (await store.now()) + 30 * DAY_MS,
    explanation: { ...UNEXPLAINED, referenceId: 'web-1001', note: 'an aviary of finches' },
  });
  const { orderId } = await orderAfter(store, {
    kind: 'place',
    lines: [
      { petId: 31n, quantity: 40 },
      { petId: 36n, quantity: 8 },
    ],
    expiresAtMs: null,
    explanation: { ...UNEXPLAINED, referenceId: 'phone-17', note: 'an aquarium for a school' },
  });
  await orderAfter(store, { kind: 'step', step: 'approve', orderId });
  await orderAfter(store, { kind: 'step', step: 'deliver', orderId, lines: [{ petId: 31n }] });
}

async function orderAfter(store: AdminStore, command: WriteCommand): Promise<Order> {
  const result = await store.write(command, CLI_AUTHOR);
  if (result.kind === 'order' && result.code === 'done' && result.order) return result.order;
  throw new Error(`The sample shop's order was refused: ${result.code}.`);
}
