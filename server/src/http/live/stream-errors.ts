import { ApiError, serviceUnavailable } from '../../domain/errors.ts';

/** Errors in the last event of a stream, and refusals of a new stream. */

const RESUME = 'Reconnect with Last-Event-ID to resume.';
/** Another instance may serve soon, as after the `retry` of a stream that ends. */
const RESTART_SECONDS = 2;

export function historyPruned(sequence: number): ApiError {
  return new ApiError(
    'history_pruned',
    `The movement after ${sequence} was deleted by the operator. Read the inventory, and start a new stream.`,
  );
}

export function restarting(): ApiError {
  return serviceUnavailable(`The service stops or restarts. ${RESUME}`, undefined, RESTART_SECONDS);
}

export function tooSlow(how: string): ApiError {
  return serviceUnavailable(`The reader ${how}. ${RESUME}`);
}

export function ledgerReplaced(): ApiError {
  return serviceUnavailable(
    'The ledger was replaced by another one. Read the inventory, and start a new stream.',
  );
}

export function tooManyReaders(): ApiError {
  return serviceUnavailable('This instance has reached its limit of live streams. Retry later.');
}

/** @param open More than `max` after the limit of the account was lowered: open streams stay open. */
export function tooManyOfHolder(open: number, max: number): ApiError {
  return serviceUnavailable(
    `Your account or management key has ${open} live streams open here, and may have ${max}. Close one, or retry later.`,
  );
}
