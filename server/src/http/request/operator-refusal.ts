import { ApiError, OperatorError } from '../../domain/errors.ts';
import type { Handler } from './operation.ts';

/** A handler of an operator's action: its refusals become responses with the same message. */
export function refusing(handle: Handler): Handler {
  return async (context, parameter) => {
    try {
      return await handle(context, parameter);
    } catch (error) {
      if (error instanceof OperatorError) throw new ApiError(error.code, error.message, { cause: error });
      throw error;
    }
  };
}
