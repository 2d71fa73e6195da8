import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';

export const SECRET_VARIABLE = 'PETSTORE_WEBHOOK_SECRET';

/** The secret of an endpoint, from the environment; `undefined`: there is none. @throws CommandFailure for another text */
export function secretOf({ env }: Context): string | undefined {
  const secret = env[SECRET_VARIABLE];
  if (secret && !/^whsec_[A-Za-z0-9+/=]+$/.test(secret)) {
    throw new CommandFailure(`${SECRET_VARIABLE} must be a secret such as whsec_….`, EXIT.wrongUsage);
  }
  return secret || undefined;
}
