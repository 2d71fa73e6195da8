import { invalidArgument } from './errors.ts';
import { petIdText } from './pet-id.ts';

const PET_ID_MEMBERS = /^petIds?$/;
/** A string or a number, as a whole, so that each character is read once. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/gs;
const LARGE_INTEGER = /^-?\d{16,}$/;
/** The digits of a large integer, as a string that the service never sends. */
const MARKED_INTEGER = /^\0-?\d{16,}$/;

/**
 * Parses JSON without rounding an integer: members with matching names become bigints.
 * Works where `JSON.parse` hides the source text of a number, such as on Node 20.
 */
export function parseExact(json: string, members = PET_ID_MEMBERS): unknown {
  const text = /\d{16}/.test(json)
    ? json.replace(TOKEN, (token) => (LARGE_INTEGER.test(token) ? `"\\u0000${token}"` : token))
    : json;
  return exact(JSON.parse(text), false, members);
}

/** JSON for the service: petIds as integers with all digits, dates as texts. @throws PetstoreError */
export function writeExact(value: unknown): string {
  return (
    JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name, member: unknown) {
      // JSON has null for such a Date, and null has a meaning: the order never expires.
      const written = this[name];
      if (written instanceof Date && Number.isNaN(written.getTime())) {
        throw invalidArgument(`${name} must be a valid Date.`);
      }
      if (name === 'petId') return petIdText(member);
      if (name === 'petIds' && Array.isArray(member)) return member.map(petIdText);
      // One that a number cannot hold is more than any other member may be, and is still so when it is rounded.
      if (typeof member === 'bigint') return Number(member);
      return member;
    })
      // A quotation mark inside a string has a backslash before it, so no text of a user matches.
      .replace(/"petId":"(-?\d+)"/g, '"petId":$1')
      .replace(/"petIds":\[([^\]]*)\]/g, (_match, ids: string) => `"petIds":[${ids.replaceAll('"', '')}]`)
  );
}

function exact(value: unknown, isExact: boolean, members: RegExp): unknown {
  if (typeof value === 'number') return isExact && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string') {
    if (!MARKED_INTEGER.test(value)) return value;
    const digits = value.slice(1);
    return isExact ? BigInt(digits) : Number(digits);
  }
  if (value === null || typeof value !== 'object') return value;
  const object = value as Record<string, unknown>;
  for (const name of Object.keys(object)) {
    const isMemberExact = Array.isArray(value) ? isExact : members.test(name);
    object[name] = exact(object[name], isMemberExact, members);
  }
  return value;
}
