import { ApiError, OperatorError, serviceUnavailable } from '../../domain/errors.ts';
import type { Handler } from './operation.ts';

/** A handler of an operator's action: its refusals become responses with the same message. */
export function refusing(handle: Handler): Handler {
  return async (context, parameter) => {
    try {
      return await handle(context, parameter);
    } catch (error) {
      throw error instanceof OperatorError ? refusalOf(error) : error;
    }
  };
}

/** The response to the refusal of an action, with the same message. */
export function refusalOf(error: OperatorError): ApiError {
  const { code, message } = error;
  return code === 'service_unavailable'
    ? serviceUnavailable(message, error)
    : new ApiError(code, message, { cause: error });
}
