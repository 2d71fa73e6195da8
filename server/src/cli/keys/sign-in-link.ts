import { ROLES, type Role } from '@petstore-inventory/shared/words';
import { type Command, Option } from 'commander';
import { baseUrlOf, type Config } from '../../config.ts';
import { type ApiKey, hashApiKey } from '../../domain/access/api-key.ts';
import { createSessionSecret } from '../../domain/access/sessions.ts';
import { keyState } from '../../domain/actions/keys.ts';
import { OperatorError } from '../../domain/errors.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { timestamp } from '../../domain/timestamps.ts';
import type { OpenedAdminStore } from '../../store/schema/database-metadata.ts';
import { addCommand } from '../command.ts';
import { parseName } from '../options.ts';
import type { Output } from '../output.ts';
import { shownTime } from '../parse-time.ts';
import { requirePepper } from '../pepper.ts';
import { type AddressSource, addressSource } from '../service-settings.ts';
import { databaseCommand } from '../with-database.ts';

interface KeyChoice {
  readonly name?: string;
  readonly role?: Role;
}

export interface SignInLink {
  readonly link: string;
  readonly key: ApiKey;
  readonly expiresAtMs: number;
}

/** Adds the command for links to the dashboard. */
export function addLoginLink(program: Command): void {
  addCommand(program, 'login-link', {
    summary: 'make a link that signs in to the dashboard, one time within 10 minutes',
    notes:
      'The session stands for a management key: an administrator’s, unless --role or --name select another one. ' +
      'Of several keys it is the one that was made first.',
    example: 'login-link --name Ada',
  })
    .option('--name <text>', 'name of the management key', parseName)
    .addOption(new Option('--role <role>', 'role of the management key').choices(ROLES))
    .action(
      databaseCommand(async ({ store, settings, config }, choice: KeyChoice) => {
        const key = await findManagementKey(store, choice);
        if (!key) throw noKey(choice);
        const origin = baseUrlOf(settings, store.environment).replace(/\/v1$/, '');
        return described(await makeSignInLink(config, store, key, origin), addressSource(store.settings));
      }),
    );
}

/** The first management key that works and is so; without a name and a role an administrator's. */
export async function findManagementKey(
  store: OpenedAdminStore,
  { name, role = name === undefined ? 'administrator' : undefined }: KeyChoice = {},
): Promise<ApiKey | undefined> {
  const nowMs = await store.now();
  const keys = (await store.keys.list({ kind: 'management' })).map((principal) => principal.key);
  return keys.find(
    (key) =>
      keyState(key, nowMs) === 'active' &&
      (name === undefined || key.name === name) &&
      (role === undefined || key.role === role),
  );
}

/** Makes a link for a key. @param origin The address of the dashboard, without a slash at its end. */
export async function makeSignInLink(
  config: Config,
  store: OpenedAdminStore,
  key: ApiKey,
  origin: string,
): Promise<SignInLink> {
  const code = createSessionSecret();
  const hash = hashApiKey(code, requirePepper(config, store.pepperCheck));
  const expiresAtMs = await store.sessions.addCode(hash, key.id, CLI_AUTHOR);
  // Browsers send no fragment, so that the code is in no log.
  return { link: `${origin}/sign-in#code=${code}`, key, expiresAtMs };
}

/** What a person must know about the address of a link. */
const ADDRESS_NOTES: Readonly<Record<AddressSource, readonly string[]>> = {
  environment: [],
  service: ['', 'Its address is that of the service that started last; PETSTORE_BASE_URL sets another one.'],
  default: [
    '',
    'No service has used this database yet: PETSTORE_BASE_URL must be its address, if it is another one.',
  ],
};

function described({ link, key, expiresAtMs }: SignInLink, addressFrom: AddressSource): Output {
  return {
    value: {
      link,
      keyId: key.id,
      name: key.name,
      role: key.role,
      expiresAt: timestamp(expiresAtMs),
      addressFrom,
    },
    text: [
      `Sign-in link of ${key.name} (role ${key.role}), valid one time until ${shownTime(expiresAtMs)}:`,
      '',
      `  ${link}`,
      ...ADDRESS_NOTES[addressFrom],
    ].join('\n'),
  };
}

function noKey({ name, role = 'administrator' }: KeyChoice): OperatorError {
  const named = name === undefined ? '' : ` --name ${JSON.stringify(name)}`;
  return new OperatorError(
    `No such management key works; make one: petstore-server admin-keys create --role ${role}${named}.`,
    { code: 'not_found' },
  );
}
