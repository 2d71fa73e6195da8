import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { invalidParameter } from './query-parameters.ts';

/** The id after which a page begins, as a text that is opaque to clients, so its content can change. */
export function encodeCursor(after: bigint | number): string {
  return Buffer.from(String(after)).toString('base64url');
}

/** @throws ApiError `invalid_parameter`. */
export function decodeCursor(cursor: string): bigint {
  const after = parsePetId(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (after !== undefined && encodeCursor(after) === cursor) return after;
  throw invalidParameter('cursor must come from the Link header of the page before.');
}
