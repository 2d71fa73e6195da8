/**
 * A value that is here already, or a promise of it. A list answered from memory must not wait for a turn of
 * the event loop that a database on the network needs; both stand behind the same port.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with `next` at once if the value is here, else when it arrives. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
