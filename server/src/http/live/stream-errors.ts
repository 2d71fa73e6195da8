import { ApiError, serviceUnavailable } from '../../domain/errors.ts';

/** Why streams end, told in their last event; and why one cannot begin. */

const RESUME = 'connect again, and Last-Event-ID goes on where this stream ended.';

export function historyPruned(sequence: number): ApiError {
  return new ApiError(
    'history_pruned',
    `Movements right after ${sequence} are not kept any more; read the inventory, and begin anew.`,
  );
}

export function restarting(): ApiError {
  return serviceUnavailable(`The service stops or restarts; ${RESUME}`);
}

export function tooSlow(how: string): ApiError {
  return serviceUnavailable(`The reader ${how}; ${RESUME}`);
}

export function ledgerReplaced(): ApiError {
  return serviceUnavailable(
    'The ledger was replaced by one that ends earlier; read the inventory, and begin anew.',
  );
}

export function tooManyReaders(): ApiError {
  return serviceUnavailable('This instance has as many live readers as it may have; try again later.');
}

export function tooManyOfAccount(most: number): ApiError {
  return serviceUnavailable(
    `Your account has ${most} live streams open here, which is its limit; close one, or try again later.`,
  );
}
