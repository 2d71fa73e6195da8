import { ApiError } from '../../domain/errors.ts';
import type { ErrorAnswer } from '../openapi/responses.ts';

/** Refusals of a movement by its sequence. */

export const MOVEMENT_PRUNED: ErrorAnswer = {
  description: 'The movement is older than what the operator keeps.',
  codes: ['history_pruned'],
};

export function noSuchMovement(sequence: number, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError('not_found', `There is no movement ${sequence}.`, { headers });
}

export function movementPruned(sequence: number, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError('history_pruned', `Movement ${sequence} is not kept any more.`, { headers });
}
