import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';
import { writePrivateFile } from '../files/whole-file.ts';

const OTHERS = 0o077;

/** What `petstore login` keeps. */
export interface Login {
  readonly url: string;
  readonly apiKey: string;
}

type Place = Pick<Context, 'env' | 'platform' | 'home'>;

/** The file of the login: below `XDG_CONFIG_HOME` (XDG Base Directory 0.8), on Windows below `APPDATA`. */
export function configFile(place: Place): string {
  const { env, platform, home } = place;
  const folder =
    platform === 'win32'
      ? (env.APPDATA ?? join(home, 'AppData', 'Roaming'))
      : env.XDG_CONFIG_HOME || join(home, '.config');
  return join(folder, 'petstore', 'login.json');
}

/** The folder of unfinished imports. */
export function stateFolder({ env, platform, home }: Place): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'petstore');
  return join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'petstore');
}

/** The kept login; `undefined` without one. @throws CommandFailure if the file cannot be used. */
export function readLogin(place: Place): Login | undefined {
  const file = configFile(place);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandFailure(`${file} cannot be read (${(error as Error).message}).`, EXIT.notAllowed, error);
  }
  const login = loginOf(text);
  if (login) return login;
  throw new CommandFailure(`${file} is damaged. Run petstore login again.`, EXIT.notAllowed);
}

/** Whether other users of this machine can read the login. */
export function isExposed(place: Place): boolean {
  return place.platform !== 'win32' && (statSync(configFile(place)).mode & OTHERS) !== 0;
}

/** Keeps a login. Only this user can read it, at no moment anybody else. */
export function writeLogin(place: Place, { url, apiKey }: Login): string {
  const file = configFile(place);
  writePrivateFile(file, [`${JSON.stringify({ url, apiKey }, null, 2)}\n`]);
  return file;
}

/** Forgets the login. Returns whether there was one. */
export function deleteLogin(place: Place): boolean {
  const file = configFile(place);
  try {
    rmSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw new CommandFailure(`${file} cannot be deleted (${(error as Error).message}).`, EXIT.failed, error);
  }
}

function loginOf(text: string): Login | undefined {
  try {
    const { url, apiKey } = JSON.parse(text) as Partial<Login>;
    return typeof url === 'string' && typeof apiKey === 'string' ? { url, apiKey } : undefined;
  } catch {
    return undefined;
  }
}
