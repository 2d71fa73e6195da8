import { ApiError } from '../../domain/errors.ts';

/** Refusals of a movement by its sequence. */

export function noSuchMovement(sequence: number, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError('not_found', `Movement ${sequence} does not exist.`, { headers });
}

export function movementPruned(sequence: number, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError('history_pruned', `Movement ${sequence} was deleted by the operator.`, { headers });
}
