import type { Principal } from '../../../domain/access/principal.ts';
import { includesRole } from '../../../domain/access/roles.ts';
import type { RequestContext } from '../../request/request-context.ts';

/** The key whose sessions a caller sees and ends; `undefined`: an administrator sees those of all keys. */
export function seenKeyOf(context: RequestContext): string | undefined {
  const { key } = context.principal as Principal;
  return includesRole(key.role, 'administrator') ? undefined : key.id;
}
