import fc, { type Arbitrary } from 'fast-check';

/**
 * Why a request must be refused. Steps are those of the order in which a request is judged: the earliest one
 * decides, and of faults in one step any may be named.
 */
export interface Fault {
  readonly step: number;
  readonly status: number;
}

export const UNREADABLE: Fault = { step: 1, status: 400 };
export const BAD_KEY: Fault = { step: 2, status: 401 };
export const UNKNOWN_PATH: Fault = { step: 5, status: 404 };
export const WRONG_METHOD: Fault = { step: 5, status: 405 };
export const LACKS_SCOPE: Fault = { step: 6, status: 403 };
export const NOT_ACCEPTABLE: Fault = { step: 7, status: 406 };
export const WRONG_MEDIA_TYPE: Fault = { step: 7, status: 415 };
export const TOO_LARGE: Fault = { step: 7, status: 413 };
export const INVALID: Fault = { step: 7, status: 400 };

/** A piece of a request, with all that is wrong with it. */
export interface Part<T> {
  readonly value: T;
  readonly faults: readonly Fault[];
}

export function part<T>(value: T, ...faults: readonly Fault[]): Part<T> {
  return { value, faults };
}

/** Mostly the sound parts, now and then one of the others. */
export function mostly<T>(
  sound: Arbitrary<Part<T>>,
  others: Arbitrary<Part<T>>,
  weight = 12,
): Arbitrary<Part<T>> {
  return fc.oneof({ weight, arbitrary: sound }, { weight: 1, arbitrary: others });
}

export function constants<T>(values: readonly T[], ...faults: readonly Fault[]): Arbitrary<Part<T>> {
  return fc.constantFrom(...values.map((value) => part(value, ...faults)));
}
