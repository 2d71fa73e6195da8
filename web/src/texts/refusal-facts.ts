import { ROLES } from '@petstore-inventory/shared/words';
import type { Role } from '../api/schemas.ts';

/** What the headers of a refusal say about it. */
export type RefusalFacts =
  | { readonly role: Role; readonly petId?: never; readonly quantity?: never }
  | { readonly role?: never; readonly petId: string; readonly quantity: string };

/** A path of the movements of a pet, in a link. */
const MOVEMENTS_OF_PET = /\/inventory\/(-?\d+)\/movements/;

/** The role that would do, or the stock that is not enough. */
export function refusalFacts(code: string, headers: Headers): RefusalFacts | undefined {
  if (code === 'insufficient_scope') {
    const scope = /scope="([^"]*)"/.exec(headers.get('WWW-Authenticate') ?? '')?.[1];
    const role = ROLES.find((one) => one === scope);
    return role && { role };
  }
  if (code !== 'insufficient_stock') return undefined;
  const petId = MOVEMENTS_OF_PET.exec(headers.get('Link') ?? '')?.[1];
  const quantity = headers.get('Inventory-Quantity');
  return petId === undefined || quantity === null ? undefined : { petId, quantity };
}
