import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { createId } from '../domain/api-key.ts';
import { PLAN_LIMITS } from '../domain/plans.ts';
import type { OpenedAdminStore } from '../store/schema/database-metadata.ts';
import { createKey } from './create-key.ts';
import { importPetFile } from './import-pets.ts';
import { type Answer, count } from './output.ts';
import { prepareDatabase } from './prepare-database.ts';
import { withDatabase } from './with-database.ts';

const SAMPLE_SHOP = fileURLToPath(new URL('../../sample/pets.csv', import.meta.url));
const DEMO = { name: 'demo', plan: 'pro' } as const;

/** Makes the database, and fills it with a sample shop if it is new. Returns how many pets that are. */
export async function prepareFirstLook(config: Config, { sample }: { sample: boolean }): Promise<number> {
  const { isEmpty } = await prepareDatabase(config);
  if (!isEmpty || !sample) return 0;
  const { created } = await importPetFile(config, SAMPLE_SHOP);
  return created;
}

export interface DemoKey {
  /** An account to make keys for. */
  readonly account: string;
  /** The key, if one was made now. */
  readonly key: string | undefined;
}

/**
 * Makes the account for a first look and its key, unless the database has keys or other accounts already.
 * It is done when the service runs, so that no start that fails hides a key nobody has seen.
 */
export async function makeDemoKey(config: Config): Promise<DemoKey> {
  return withDatabase(config, async (store) => {
    const accounts = await store.listAccounts();
    const demo = accounts.find(({ name }) => name === DEMO.name);
    const own = accounts.find((account) => account !== demo);
    if (own || (await store.listKeys()).length > 0) {
      return { account: (demo ?? own)?.name ?? DEMO.name, key: undefined };
    }
    const accountId = demo?.id ?? (await createDemoAccount(store));
    const fields = { accountId, name: DEMO.name, scopes: null, expiresAtMs: null };
    return { account: DEMO.name, key: (await createKey(config, store, fields)).secret };
  });
}

async function createDemoAccount(store: OpenedAdminStore): Promise<string> {
  const id = createId('acc');
  await store.createAccount({ ...DEMO, id, limits: PLAN_LIMITS[DEMO.plan], createdAtMs: await store.now() });
  return id;
}

export interface FirstLook extends DemoKey {
  readonly url: string;
  readonly database: string;
  readonly samplePets: number;
}

/** What somebody who has just started the service wants to know. */
export function describeFirstLook({ url, database, samplePets, account, key }: FirstLook): Answer {
  const value = {
    url,
    api: `${url}/v1`,
    docs: `${url}/docs`,
    health: `${url}/healthz`,
    database,
    samplePets,
    account,
    key: key ?? null,
  };
  const data =
    samplePets === 0 ? database : `${database}, new, with a sample shop of ${count(samplePets, 'pet')}`;
  const text = [
    'The pet store is open.',
    '',
    `  API            ${value.api}`,
    `  Documentation  ${value.docs}`,
    `  Health         ${value.health}`,
    `  Data           ${data}`,
    '',
    ...(key === undefined ? keptText(account) : keyText(key, value.api)),
    '',
    'Press Ctrl-C to stop. Everything is kept for the next start.',
  ].join('\n');
  return { value, text };
}

function keyText(key: string, api: string): string[] {
  return [
    `API key of account ${DEMO.name} (plan ${DEMO.plan}), shown only this once:`,
    '',
    `  ${key}`,
    '',
    'Try it:',
    '',
    `  curl -H 'Authorization: Bearer ${key}' ${api}/inventory`,
  ];
}

function keptText(account: string): string[] {
  return [
    'Pets, accounts and keys are as you left them. Keys are shown once; to make another one:',
    '',
    `  npx petstore-server keys create --account ${/\W/.test(account) ? JSON.stringify(account) : account}`,
  ];
}
