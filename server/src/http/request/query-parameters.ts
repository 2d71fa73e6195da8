import { ApiError } from '../../domain/errors.ts';
import { parseWholeNumber } from '../../domain/numeral.ts';
import { parseTimestamp } from '../../domain/timestamps.ts';

export const DEFAULT_PAGE_ITEMS = 100;
export const MAX_PAGE_ITEMS = 1_000;

/** The refusal of a parameter, by a sentence that names it. */
export function invalidParameter(message: string): ApiError {
  return new ApiError('invalid_parameter', message);
}

/**
 * Reads a query that may have these parameters and no others, each once: a misspelt one that was passed over would
 * hand out something else than was asked for.
 */
export function readQuery(query: string, names: readonly string[]): URLSearchParams {
  const parameters = new URLSearchParams(query);
  for (const name of new Set(parameters.keys())) {
    if (!names.includes(name)) {
      throw invalidParameter(`There is no query parameter ${JSON.stringify(name)} here.`);
    }
    if (parameters.getAll(name).length > 1) throw invalidParameter(`Give the query parameter ${name} once.`);
  }
  return parameters;
}

/** Refuses a query of an operation that has no parameters. */
export function requireNoQuery({ query }: { readonly query: string }): void {
  if (query !== '') readQuery(query, []);
}

/** The items that a page may have. */
export function readLimit(parameters: URLSearchParams): number {
  const text = parameters.get('limit');
  if (text === null) return DEFAULT_PAGE_ITEMS;
  const limit = parseWholeNumber(text) ?? 0;
  if (limit >= 1 && limit <= MAX_PAGE_ITEMS) return limit;
  throw invalidParameter(`limit must be a whole number from 1 to ${MAX_PAGE_ITEMS}.`);
}

/** A whole number in plain decimal, from 0 on; `undefined` without it. */
export function readInteger(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  const value = parseWholeNumber(text);
  if (value !== undefined) return value;
  throw invalidParameter(`${name} must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
}

/** One of a few words; `undefined` without it. */
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

/** A moment in Unix milliseconds, perhaps between two of them; `undefined` without it. */
export function readTimestamp(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  // A plus that was not escaped arrives as a space, and cannot have been meant as one.
  const atMs = parseTimestamp(text.replace(/ (?=\d\d:\d\d$)/, '+'));
  if (atMs !== undefined) return atMs;
  throw invalidParameter(
    `${name} must be a date and time with offset, such as 2026-07-01T12:00:00Z (RFC 3339).`,
  );
}

/** An object without the members that are not set, as ports with optional members want it. */
export function onlySet<T extends object>(members: { [K in keyof T]?: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
