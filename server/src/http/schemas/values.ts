import { z } from '@hono/zod-openapi';
import { MOVEMENT_ORDERS } from '../../domain/ledger-store.ts';

/** Single values of response bodies, each with its format and its bounds. */

export const REQUEST_ID_PATTERN = '^[A-Za-z0-9_-]{8,64}$';
/** A strong entity tag of this service (RFC 9110 section 8.8.3). */
export const ENTITY_TAG_PATTERN = '^"[A-Za-z0-9._-]{1,100}"$';
export const KEY_ID_PATTERN = '^key_[0-9A-Za-z]{16}$';
export const ACCOUNT_ID = /^acc_[0-9A-Za-z]{16}$/;
export const ACCOUNT_ID_RULE = 'must be the id of an account, such as acc_7dM3kPq9sTv2Wx5Y.';

/** The `PetId` component. A parser has rules of its own, so its schema is another one with the same description. */
export const PET_ID_FACTS = {
  type: 'integer',
  format: 'int64',
  description: 'The id of a pet. An exact 64-bit integer: read it as one.',
  example: 7,
} as const;
export const PetIdSchema = z.bigint().openapi('PetId', PET_ID_FACTS);

/** A whole number that every JSON reader holds exactly (RFC 8259 section 6). */
const SAFE_INTEGER = { format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;

/** `*` or a list of entity tags (RFC 9110 section 13.1). A header field is at most as long as all headers together. */
export const EntityTagsSchema = z.string().openapi('EntityTags', {
  pattern: '^(?:\\*|(?:W/)?"[!#-~]*"(?:[ \\t]*,[ \\t]*(?:W/)?"[!#-~]*")*)$',
  maxLength: 16_384,
});
export const WholeNumberSchema = z.int().openapi('WholeNumber', SAFE_INTEGER);
/** A sum of units of many pets, which may be more than a number of JavaScript holds. */
export const units = (description: string, example: number) =>
  z.bigint().openapi({ type: 'integer', format: 'int64', description, example });
export const QuantitySchema = z
  .int()
  .openapi('Quantity', { ...SAFE_INTEGER, description: 'A stock count.', example: 12 });
export const ReservedSchema = z
  .int()
  .openapi('Reserved', { ...SAFE_INTEGER, description: 'Units promised to open orders.', example: 3 });
export const VersionSchema = z
  .int()
  .openapi('Version', { ...SAFE_INTEGER, description: 'The number of changes of an item.', example: 3 });
export const SequenceSchema = z.int().openapi('Sequence', {
  ...SAFE_INTEGER,
  minimum: 1,
  description: 'The place of a movement in the ledger. Sequences have no gaps.',
  example: 4711,
});

export const wholeNumber = (description: string, example: number) =>
  WholeNumberSchema.openapi({ description, example });
/** A whole number, or `null`. */
export const wholeNumberOrNull = (description: string, example: number) =>
  z
    .int()
    .openapi({ ...SAFE_INTEGER, description, example })
    .nullable();
/** The sequence of a movement, or `null`. */
export const sequenceOrNull = (description: string, example: number | null) =>
  z
    .int()
    .openapi({ ...SAFE_INTEGER, minimum: 1, description, example })
    .nullable();

const ORDER_ID = { ...SAFE_INTEGER, minimum: 1, description: 'The id of an order.' } as const;
export const OrderIdSchema = z.int().openapi('OrderId', { ...ORDER_ID, example: 1042 });
/** The id of an order, or `null`. */
export const orderIdOrNull = (description: string, example: number | null) =>
  z
    .int()
    .openapi({ ...ORDER_ID, description, example })
    .nullable();

export const text = (maxLength: number, description: string, example: string | null) =>
  z.string().openapi({ maxLength, description, example });

export const moment = (description: string, example = '2026-07-01T07:30:00.000Z') =>
  z.string().openapi({ format: 'date-time', description, example });

const Sha256Schema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .openapi('Sha256', { example: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c' });
export const sha256 = (description: string) => Sha256Schema.openapi({ description });

export const MovementOrderSchema = z.enum(MOVEMENT_ORDERS).openapi('MovementOrder', {
  description: 'Oldest first (`asc`), or newest first (`desc`).',
});
