import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';
import { configFile, isExposed, type Login, readLogin } from './config-file.ts';
import { isAddress, schemeAdvice } from './address.ts';

const URL_VARIABLE = 'PETSTORE_URL';
export const KEY_VARIABLE = 'PETSTORE_API_KEY';

/**
 * The address and the key: from the environment, otherwise from the login. The key of a login is sent only to the address
 * of that login. @throws CommandFailure
 */
export function readCredentials(context: Context): Login {
  // Files of secrets and variables often end with a line feed.
  const url = context.env[URL_VARIABLE]?.trim();
  const apiKey = context.env[KEY_VARIABLE]?.trim();
  if (apiKey && !apiKey.startsWith('psk_')) {
    throw new CommandFailure(
      apiKey.startsWith('psa_')
        ? `${KEY_VARIABLE} has a management key (psa_). This program needs the API key of an account (psk_).`
        : `${KEY_VARIABLE} must be an API key, which begins with psk_live_ or psk_test_.`,
      EXIT.notAllowed,
    );
  }
  if (url && !/^https?:\/\/./i.test(url)) {
    throw new CommandFailure(
      `${URL_VARIABLE} must be an address such as https://stock.example.com.${schemeAdvice(url)}`,
      EXIT.wrongUsage,
    );
  }
  if (url && !isAddress(url)) {
    // The address is not in the message, because it may have a password.
    throw new CommandFailure(
      `${URL_VARIABLE} must be a whole address such as https://stock.example.com, with a name or number of a host, and without a query and a password.`,
      EXIT.wrongUsage,
    );
  }
  if (apiKey && url) return { url, apiKey };
  const login = readLogin(context);
  if (apiKey) {
    if (login) return { url: login.url, apiKey };
    throw new CommandFailure(
      `${KEY_VARIABLE} is set, but ${URL_VARIABLE} is not. Set it to the address of the service, such as https://stock.example.com.`,
      EXIT.notAllowed,
    );
  }
  if (!login) {
    throw new CommandFailure(
      `There is no API key. Run petstore login, or set ${URL_VARIABLE} and ${KEY_VARIABLE}.`,
      EXIT.notAllowed,
    );
  }
  if (url && !isSameService(url, login.url)) {
    throw new CommandFailure(
      `${URL_VARIABLE} is ${url}, but the key of the login is for ${login.url} and is sent to no other service. ` +
        `Set ${KEY_VARIABLE} too, or run petstore login there.`,
      EXIT.notAllowed,
    );
  }
  if (isExposed(context)) {
    const file = configFile(context);
    context.stderr.write(`warning: other users of this machine can read ${file}. Run chmod 600 on it.\n`);
  }
  return login;
}

function isSameService(one: string, other: string): boolean {
  return plainAddress(one) === plainAddress(other);
}

/** One form of the addresses that lead to the same place. */
export function plainAddress(url: string): string {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: url, pathname: '' };
  return origin + pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
}
