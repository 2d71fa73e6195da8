import { z } from '@hono/zod-openapi';
import { hasAtMost } from '@petstore-inventory/shared/characters';
import { MAX_NAME, MAX_PET_TEXT, MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { parseTimestamp } from '@petstore-inventory/shared/timestamp';
import { nameOf } from '../../domain/actions/accounts.ts';
import { Parameter } from '../operation/parameter.ts';
import { quantitySchema } from '../schemas/quantity.ts';

/** Members of request bodies, and the search of lists. */

const NAME_RULE = `must have 1 to ${MAX_NAME} characters on one line.`;
const TIME_RULE = 'must be a date and time with offset, such as 2027-12-31T23:59:59Z (RFC 3339).';
const LATEST_MS = Date.parse('9999-12-31T23:59:59Z');

/** A body. @param members For the message, when it is not an object. */
export function bodyObject<T extends z.ZodRawShape>(members: T) {
  return z.strictObject(members, { error: bodyError });
}

/** The message of an unknown member is that of the reader of bodies. */
function bodyError({ code }: { readonly code?: string }): string | undefined {
  return code === 'unrecognized_keys' ? undefined : 'must be a JSON object.';
}

export const nameField = (description: string, example: string) =>
  z
    .string(NAME_RULE)
    .refine((text) => nameOf(text) !== undefined, NAME_RULE)
    .openapi({ minLength: 1, maxLength: MAX_NAME, description, example });

export const timeField = (description: string) =>
  z
    .string(TIME_RULE)
    .refine((text) => (parseTimestamp(text) ?? Number.POSITIVE_INFINITY) <= LATEST_MS, TIME_RULE)
    .openapi({ format: 'date-time', description, example: '2027-12-31T23:59:59Z' });

/** The rule of a name or a category of a pet. */
export const PET_TEXT_RULE = `must be a text of at most ${MAX_PET_TEXT} characters on one line, or null.`;

/** A threshold of a pet; `null`: that of the shop applies. */
export const thresholdField = (description: string) =>
  quantitySchema(MAX_QUANTITY, description).nullable().optional();

/**
 * The search of a list for a part of its texts. A blank one searches for nothing.
 * @param where The texts, such as `the name`.
 */
export const partOf = (where: string, component: string): Parameter<string | undefined> =>
  new Parameter<string>(
    {
      component,
      description: `Only those with this text in ${where}. Capital and small letters are alike.`,
      schema: { type: 'string', maxLength: MAX_NAME },
      example: 'till',
    },
    {
      rule: `must have at most ${MAX_NAME} characters.`,
      parse: (text) => (hasAtMost(text, MAX_NAME) ? text : undefined),
    },
  ).optional();
