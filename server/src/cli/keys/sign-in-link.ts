import { ROLES, type Role } from '@petstore-inventory/shared/words';
import { type Command, Option } from 'commander';
import { baseUrlOf, type Config } from '../../config.ts';
import { type ApiKey, hashApiKey } from '../../domain/access/api-key.ts';
import { createSessionSecret } from '../../domain/access/sessions.ts';
import { keyState, requireKey } from '../../domain/actions/keys.ts';
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
  readonly id?: string | undefined;
  readonly name?: string;
  readonly role?: Role;
}

interface SignInLink {
  readonly link: string;
  readonly key: ApiKey;
  readonly expiresAtMs: number;
}

/** Adds the command for links to the dashboard. */
export function addLoginLink(program: Command): void {
  addCommand(program, 'login-link', {
    summary: 'make a link that signs in to the dashboard, one time within 10 minutes',
    notes:
      'The session stands for a management key: an administrator’s, unless its id, --role or --name select another one. ' +
      'Of several keys it is the one that was made first, but a --name must be that of one key.',
    example: 'login-link --name Ada',
  })
    .argument('[key-id]', 'id of the management key, as admin-keys list shows it')
    .option('--name <text>', 'name of the management key', parseName)
    .addOption(new Option('--role <role>', 'role of the management key').choices(ROLES))
    .action(
      databaseCommand(async ({ store, settings, config }, id: string | undefined, options: KeyChoice) => {
        if (id !== undefined) await requireKey(store, id, 'management');
        const choice = { ...options, id };
        const [key, ...others] = await findManagementKeys(store, choice);
        if (!key) throw noKey(choice);
        if (options.name !== undefined && others.length > 0) throw severalKeys([key, ...others]);
        const origin = baseUrlOf(settings, store.environment).replace(/\/v1$/, '');
        return described(await makeSignInLink(config, store, key, origin), addressSource(store.settings));
      }),
    );
}

/**
 * The management keys that work and are so, the oldest first; without a choice those of administrators. A key that was rotated
 * is not among them while its successor is.
 */
export async function findManagementKeys(
  store: OpenedAdminStore,
  { id, name, role = id === undefined && name === undefined ? 'administrator' : undefined }: KeyChoice = {},
): Promise<readonly ApiKey[]> {
  const nowMs = await store.now();
  const keys = (await store.keys.list({ kind: 'management' })).map(({ key }) => key);
  const found = keys.filter(
    (key) =>
      keyState(key, nowMs) === 'active' &&
      (id === undefined || key.id === id) &&
      (name === undefined || key.name === name) &&
      (role === undefined || key.role === role),
  );
  const replaced = new Set(found.map(({ rotatedFrom }) => rotatedFrom));
  return found.filter((key) => !replaced.has(key.id));
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

function severalKeys(keys: readonly ApiKey[]): OperatorError {
  const listed = keys.map(({ id, role, createdAtMs }) => `  ${id}  ${role}, made ${shownTime(createdAtMs)}`);
  return new OperatorError(
    `${keys.length} management keys have this name; give the id of one, such as login-link ${keys[0]?.id}:\n${listed.join('\n')}`,
  );
}

function noKey({ id, name, role = 'administrator' }: KeyChoice): OperatorError {
  if (id !== undefined) {
    return new OperatorError(
      `The management key ${id} does not work, or has another name or role than the options.`,
    );
  }
  const named = name === undefined ? '' : ` --name ${JSON.stringify(name)}`;
  return new OperatorError(
    `No such management key works; make one: petstore-server admin-keys create --role ${role}${named}.`,
    { code: 'not_found' },
  );
}
