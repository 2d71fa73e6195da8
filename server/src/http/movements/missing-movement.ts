import { ApiError } from '../../domain/errors.ts';

/** Refusals of a movement by its sequence. */

export function noSuchMovement(sequence: number, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError('not_found', `There is no movement ${sequence}.`, { headers });
}

export function movementPruned(sequence: number, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError('history_pruned', `Movement ${sequence} is not kept any more.`, { headers });
}
