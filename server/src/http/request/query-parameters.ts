import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { parseWholeNumber } from '@petstore-inventory/shared/numeral';
import { isStorableText } from '@petstore-inventory/shared/storable-text';
import { parseTimestamp } from '@petstore-inventory/shared/timestamp';
import { ApiError } from '../../domain/errors.ts';

export const DEFAULT_PAGE_ITEMS = 100;

/** The refusal of a parameter. The message names it. */
export function invalidParameter(message: string): ApiError {
  return new ApiError('invalid_parameter', message);
}

/**
 * Reads a query that may have these parameters and no others, each once and without U+0000. An ignored misspelt
 * parameter would return other data than the client wants.
 */
export function readQuery(query: string, names: readonly string[]): URLSearchParams {
  const parameters = new URLSearchParams(query);
  for (const name of new Set(parameters.keys())) {
    if (!names.includes(name)) {
      throw invalidParameter(
        `The query parameter ${JSON.stringify(name)} is unknown here. ${knownNames(names)}`,
      );
    }
    const values = parameters.getAll(name);
    if (values.length > 1) throw invalidParameter(`Send the query parameter ${name} once.`);
    if (!values.every(isStorableText)) throw invalidParameter(`${name} must not contain U+0000.`);
  }
  return parameters;
}

function knownNames(names: readonly string[]): string {
  return names.length === 0 ? 'This operation has none.' : `Known are: ${names.join(', ')}.`;
}

/** Rejects every query parameter. */
export function requireNoQuery({ query }: { readonly query: string }): void {
  if (query !== '') readQuery(query, []);
}

/** The maximum number of items in a page. */
export function readLimit(
  parameters: URLSearchParams,
  { byDefault = DEFAULT_PAGE_ITEMS, max = MAX_PAGE_ITEMS } = {},
): number {
  const text = parameters.get('limit');
  if (text === null) return byDefault;
  const limit = parseWholeNumber(text) ?? 0;
  if (limit >= 1 && limit <= max) return limit;
  throw invalidParameter(`limit must be a whole number from 1 to ${max}.`);
}

/** An integer from 0 in plain decimal; `undefined` without the parameter. */
export function readInteger(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  const value = parseWholeNumber(text);
  if (value !== undefined) return value;
  throw invalidParameter(`${name} must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
}

/** The same with an optional minus. */
export function readSignedInteger(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  const size = parseWholeNumber(text.replace(/^-(?=[1-9])/, ''));
  if (size !== undefined) return text.startsWith('-') ? -size : size;
  const { MAX_SAFE_INTEGER } = Number;
  throw invalidParameter(`${name} must be a whole number from -${MAX_SAFE_INTEGER} to ${MAX_SAFE_INTEGER}.`);
}

/** One of the choices; `undefined` without the parameter. */
export function readChoice<T extends string>(
  parameters: URLSearchParams,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  const choice = choices.find((one) => one === text);
  if (choice !== undefined) return choice;
  throw invalidParameter(`${name} must be one of ${choices.join(', ')}.`);
}

/** One or more of the choices, with commas between them; `undefined` without the parameter. */
export function readChoices<T extends string>(
  parameters: URLSearchParams,
  name: string,
  choices: readonly T[],
): readonly T[] | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  const wanted = new Set(text.split(','));
  const chosen = choices.filter((one) => wanted.has(one));
  if (chosen.length === wanted.size) return chosen;
  throw invalidParameter(`${name} must be one or more of ${choices.join(', ')}, with commas between them.`);
}

/** A time in Unix milliseconds, possibly between two of them; `undefined` without the parameter. */
export function readTimestamp(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  // An unescaped plus arrives as a space. No valid time has a space there.
  const atMs = parseTimestamp(text.replace(/ (?=\d\d:\d\d$)/, '+'));
  if (atMs !== undefined) return atMs;
  throw invalidParameter(
    `${name} must be a date and time with offset, such as 2026-07-01T12:00:00Z (RFC 3339).`,
  );
}

/** An object without its `undefined` members, which exact optional properties do not accept. */
export function onlySet<T extends object>(members: { [K in keyof T]?: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
