import { isIP } from 'node:net';
import { parseTimestamp } from '@petstore-inventory/shared/timestamp';
import { serversOf } from './domain/database-address.ts';

/** Parsers of variables. For an invalid text they throw a phrase that completes "PORT must be …". */

const SPACE_AT_AN_END = /^\s|\s$/;
const CONTROL_CHARACTER = /\p{Cc}/u;
const IN_QUOTES = /^(?:".*"|'.*')$/;
const UTC_SECOND = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/**
 * Rejects what a file of variables leaves in a value: the CR of a file from Windows, spaces, and quotes where its reader keeps them.
 * A file of SQLite or a pepper with them would work, as another database or another secret.
 */
export function withoutRemains(text: string): string {
  if (SPACE_AT_AN_END.test(text))
    throw 'without white space at its start and end (a file from Windows leaves a CR)';
  if (CONTROL_CHARACTER.test(text)) throw 'without control characters';
  if (IN_QUOTES.test(text)) throw 'without quotes around it';
  return text;
}

export function integer(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= low && value <= high)) throw `a whole number from ${low} to ${high}`;
    return value;
  };
}

export function oneOf<T extends string>(allowed: readonly T[]): (text: string) => T {
  return (text) => {
    const found = allowed.find((name) => name === text);
    if (found === undefined) throw `one of ${allowed.join(', ')}`;
    return found;
  };
}

export function flag(text: string): boolean {
  return oneOf(['true', 'false'])(text) === 'true';
}

export function httpUrl(text: string): string {
  // The address becomes part of headers, which are ASCII without spaces here.
  if (!/^https?:\/\/[!"$->@-~]+\/v1$/.test(text) || !URL.canParse(text)) {
    throw 'an http or https address that ends in /v1, such as https://shop.example/v1, in ASCII (xn--... for other names)';
  }
  return text;
}

export function optionalHttpUrl(text: string): string {
  return text === '' ? text : httpUrl(text);
}

/** Without a user, because credentials of a collector are sent in a header. */
export function collectorUrl(text: string): string {
  if (text !== '' && (!/^https?:\/\/[^\s@]+$/.test(text) || !URL.canParse(text))) {
    throw 'an http or https address without a user, such as http://localhost:4318/v1/traces';
  }
  return text;
}

export function moment(text: string): number {
  const atMs = UTC_SECOND.test(text) ? parseTimestamp(text) : undefined;
  if (atMs === undefined) throw 'a UTC time such as 2027-12-31T23:59:59Z';
  return atMs;
}

export function list(text: string): readonly string[] {
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}

export function origins(text: string): readonly string[] {
  for (const origin of list(text)) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw 'a comma-separated list of origins such as https://shop.example';
    }
  }
  return list(text);
}

/** Addresses and CIDR blocks. */
export function networks(text: string): readonly string[] {
  for (const network of list(text)) {
    const [address = '', bits, ...rest] = network.split('/');
    const maxBits = isIP(address) === 4 ? 32 : 128;
    const isBlock = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
    if (isIP(address) === 0 || address.includes('%') || !isBlock || rest.length > 0) {
      throw 'a comma-separated list of addresses or CIDR blocks such as 10.1.0.0/16';
    }
  }
  return list(text);
}

export function database(text: string): string {
  const isFile = /^sqlite:(?!:|file:)./.test(text);
  if (isFile || isServer(text)) return text;
  throw 'sqlite: followed by a file, such as sqlite:./data/petstore.db, or postgres://user:password@host:5432/database (with a comma between several hosts, %40 for an @ in a password, %23 for a #)';
}

export function readDatabase(text: string): string {
  if (text === '' || (isServer(text) && serversOf(text).length === 1)) return text;
  throw 'empty, or postgres://user:password@host:5432/database (with %40 for an @ in a password, %23 for a #)';
}

function isServer(text: string): boolean {
  // A # would start the fragment of the URL: a password with one would be split, and its start read as the host.
  if (!/^postgres(?:ql)?:\/\/[^/#]+\/[^/?#][^#]*$/.test(text)) return false;
  return serversOf(text).every((server) => URL.canParse(server) && new URL(server).host !== '');
}

/** A comma-separated list of allowed names; it may be empty. */
export function someOf(allowed: readonly string[]): (text: string) => readonly string[] {
  return (text) => {
    const names = list(text);
    if (!names.every((name) => allowed.includes(name))) throw `empty, or some of ${allowed.join(', ')}`;
    return names;
  };
}

export const anyText = (text: string): string => text;

export function host(text: string): string {
  if (text === '') throw 'an address or a name of this machine, such as 127.0.0.1';
  return text;
}

/** A token as a header has it. */
export function token(text: string): string {
  if (!/^[!-~]*$/.test(text)) throw 'visible ASCII characters without spaces, or empty';
  return text;
}
