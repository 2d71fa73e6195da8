import { barcodeFault } from '@petstore-inventory/shared/barcodes';
import { hasAtMost } from '@petstore-inventory/shared/characters';
import { MAX_BARCODE, MAX_PET_TEXT, MAX_SKU, MAX_SUPPLIER } from '@petstore-inventory/shared/limits';
import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { storableCode } from '../../domain/management/pet-codes.ts';
import { MAX_QUERY_CHARACTERS } from '../../domain/management/pet-words.ts';
import type { PetPosition } from '../../domain/management/pets.ts';
import { cursor, Parameter } from '../operation/parameter.ts';
import { SUPPLIER_FILTER, SUPPLIER_FILTER_RULE } from '../schemas/supplier.ts';

/** Parameters by which pets are found, for clients and for managers. */

/** Words of a search. Blank ones search for nothing. */
export const WORDS = new Parameter<string>(
  {
    component: 'PetWords',
    description:
      'Words of name or category, in any order; the beginnings of words are enough. A text that is a barcode, an SKU or a petId also finds the pet that has it, first and in this order.',
    schema: { type: 'string', maxLength: MAX_QUERY_CHARACTERS },
    example: 'gold retr',
  },
  {
    rule: `must have at most ${MAX_QUERY_CHARACTERS} characters.`,
    parse: (text) => (hasAtMost(text, MAX_QUERY_CHARACTERS) ? text : undefined),
  },
).optional();

export const CATEGORY = new Parameter<string>(
  {
    component: 'ExactCategory',
    description: 'Only pets of exactly this category.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_PET_TEXT },
    example: 'Dogs',
  },
  {
    rule: `must have 1 to ${MAX_PET_TEXT} characters.`,
    parse: (text) => (text !== '' && hasAtMost(text, MAX_PET_TEXT) ? text : undefined),
  },
).optional();

export const CODE_FILTERS = {
  sku: new Parameter<string>(
    {
      component: 'ExactSku',
      description: 'Only the pet with exactly this SKU. Spaces around it do not count.',
      schema: { type: 'string', minLength: 1, maxLength: MAX_SKU },
      example: 'DOG-0042',
    },
    {
      rule: `must have 1 to ${MAX_SKU} printable characters.`,
      parse: (text) => (storableCode(text.trim()) ? text.trim() : undefined),
    },
  ).optional(),
  barcode: new Parameter<string>(
    {
      component: 'ExactBarcode',
      description:
        'Only the pet with this barcode. A GTIN of 8, 12, 13 or 14 digits is found in each of these lengths, and refused with a wrong check digit. Spaces around the barcode do not count.',
      schema: { type: 'string', minLength: 1, maxLength: MAX_BARCODE, pattern: '^[ -~]+$' },
      example: '4006381333931',
    },
    {
      rule: `must have 1 to ${MAX_BARCODE} printable ASCII characters; one of 8, 12, 13 or 14 digits must end with the right check digit, and not be all zeros.`,
      parse: (text) => (barcodeFault(text.trim()) === undefined ? text.trim() : undefined),
    },
  ).optional(),
};

export const POSITION = cursor<PetPosition>(
  {
    parse: (text) => {
      const [id = '', word] = text.split(' ');
      const petId = parsePetId(id);
      if (petId === undefined || word?.includes('\0')) return undefined;
      return word === undefined ? { petId } : { petId, word };
    },
    print: ({ petId, word }) => (word === undefined ? `${petId}` : `${petId} ${word}`),
  },
  {
    component: 'PetCursor',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 300 },
  },
);

/** Exactly one supplier, or with a blank text none. */
export const SUPPLIER = new Parameter<string>(
  {
    component: 'ExactSupplier',
    description: SUPPLIER_FILTER,
    schema: { type: 'string', maxLength: MAX_SUPPLIER },
    example: 'Zoo Wholesale',
  },
  {
    rule: SUPPLIER_FILTER_RULE,
    parse: (sent) => (hasAtMost(sent.trim(), MAX_SUPPLIER) ? sent.trim() : undefined),
  },
).optional();
