/**
 * A value, or a promise of it. A list from memory must not wait for the turn of the event loop that a database on the
 * network needs; both engines implement the same interface.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` immediately if the value is here, or when it arrives. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
