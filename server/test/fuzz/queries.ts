import fc, { type Arbitrary } from 'fast-check';
import type { DocumentedOperation, ParameterObject } from '../support/openapi-document.ts';
import { constants, INVALID, mostly, type Part, part } from './parts.ts';
import type { Surroundings } from './requests.ts';
import { integerTexts, isIntegerText, MOMENTS, NO_MOMENTS } from './values.ts';

/** A query as sent, and its meaning if it is valid. */
export interface Query {
  readonly text: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The cursor of the page after an order. */
function orderCursor(orderId: number): string {
  return Buffer.from(String(orderId)).toString('base64url');
}

/** The order after which a page begins. */
export function orderOfCursor(cursor: string): number {
  return Number(Buffer.from(cursor, 'base64url').toString());
}

const ORDER_CURSORS = [1, 2, 3, 5, 9, 40, Number.MAX_SAFE_INTEGER].map(orderCursor);
const ALERT_LISTS = ['low', 'out', 'oversold', 'low,out', 'oversold,out,low'];
const NO_ALERT_LISTS = ['', 'none', 'low,', ',out', 'back', 'low;out'];

const NO_CODE = ['', ' ', 'a\0', 'a\u0001b', 'x'.repeat(65)];
/** Texts by which pets are found. */
const TEXTS: Readonly<
  Record<string, { readonly valid: readonly string[]; readonly invalid: readonly string[] }>
> = {
  q: { valid: ['rex', '7', 'x y', '4006381333931', '-', 'é'.repeat(200)], invalid: ['a\0', 'x'.repeat(201)] },
  sku: { valid: ['S', '7', 'é', ' S '], invalid: [...NO_CODE, 'a\u200bb'] },
  barcode: {
    valid: ['4006381333931', '036000291452', 'a b', ' 7 '],
    invalid: [...NO_CODE, '4006381333932', 'é'],
  },
  category: { valid: ['Dogs', 'é'], invalid: ['', 'a\0', 'x'.repeat(201)] },
  supplier: { valid: ['Zoo', 'é', '', ' '], invalid: ['a\0', 'x'.repeat(101)] },
};

/** Valid and other texts for a parameter, by its name if its schema is not specific enough. */
function textsFor(
  operationId: string,
  { name, schema }: ParameterObject,
  { petIds, cursors }: Surroundings,
): Arbitrary<Part<string>> {
  if (name === 'cursor' && operationId === 'listOrders')
    return mostly(
      constants(ORDER_CURSORS),
      constants(['', 'x~', orderCursor(0), orderCursor(-1)], INVALID),
      6,
    );
  if (name === 'alert' || name === 'alertLevel')
    return mostly(constants(ALERT_LISTS), constants(NO_ALERT_LISTS, INVALID), 6);
  const texts = TEXTS[name];
  if (texts) return mostly(constants(texts.valid), constants(texts.invalid, INVALID), 6);
  if (name === 'referenceId')
    return mostly(
      constants(['r1', 'r2', 'é', 'x'.repeat(200)]),
      constants(['a\0', 'x'.repeat(201)], INVALID),
      6,
    );
  if (name === 'cursor') {
    const forged = fc.oneof(
      fc.constant(''),
      fc.string().map((text) => `${text}~`),
    );
    return mostly(
      constants(cursors.map(({ text }) => text)),
      forged.map((text) => part(text, INVALID)),
      6,
    );
  }
  if (name === 'petId' && schema.type !== 'integer') {
    const lists = fc
      .array(fc.constantFrom(...petIds, 99n), { minLength: 1, maxLength: 6 })
      .map((ids) => ids.join());
    return mostly(
      lists.map((text) => part(text)),
      constants(['', '1,', ',1', '1, 2', '01', '1;2', '9223372036854775808'], INVALID),
      6,
    );
  }
  if (name === 'petId')
    return mostly(constants([...petIds, 99n].map(String)), constants(['x', '01', ''], INVALID), 6);
  if (schema.enum) {
    const choices = schema.enum as string[];
    return mostly(constants(choices), constants(['', `${choices[0]}x`, choices.join()], INVALID), 6);
  }
  if (schema.format === 'date-time') return mostly(constants(MOMENTS), constants(NO_MOMENTS, INVALID), 6);
  if (schema.type === 'integer') return integers({ name, schema });
  return mostly(
    constants(['cli', 'key_0123456789abcdef']),
    constants(['', 'a b', 'a\0', 'é', 'test', 'key_none'], INVALID),
    6,
  );
}

/** Values near the stored ones: pages of a few items, small quantities, recent movements. */
function integers({ name, schema }: Pick<ParameterObject, 'name' | 'schema'>): Arbitrary<Part<string>> {
  const isPlace = ['after', 'before', 'atSequence'].includes(name);
  const near = isPlace ? ['@0', '@1', '@5', '@30', '0', '1', '31'] : ['1', '2', '3', '9', ...below(schema)];
  return fc.oneof(
    { weight: 4, arbitrary: constants(near) },
    integerTexts(schema)
      .filter((text) => !text.startsWith('@'))
      .map((text) => (isIntegerText(schema, text) ? part(text) : part(text, INVALID))),
  );
}

function below({ minimum = 0 }: ParameterObject['schema']): readonly string[] {
  return Number(minimum) < 0 ? ['-1', '0'] : [];
}

/** Version 1 ignores unknown query parameters. */
export const VERSION_1 = ['updateInventory', 'getPet', 'getRateLimit'];
const NO_QUERIES = ['?dryRun=true', '?limit=5', '?a'].map((text) => ({ text, parameters: {} }));

/** Queries of an operation: some of its parameters, and sometimes unknown ones. */
export function queriesOf(
  { operation }: DocumentedOperation,
  surroundings: Surroundings,
): Arbitrary<Part<Query>> {
  const documented = (operation.parameters ?? []).filter((one) => one.in === 'query');
  const none: Arbitrary<Part<Query>> = fc.constant(part({ text: '', parameters: {} }));
  if (documented.length === 0) {
    if (VERSION_1.includes(operation.operationId)) return none;
    return mostly(none, constants<Query>(NO_QUERIES, INVALID), 19);
  }
  const each = documented.map((parameter) =>
    fc
      .option(textsFor(operation.operationId, parameter, surroundings), { freq: 2, nil: undefined })
      .map((text) => text && { ...text, name: parameter.name }),
  );
  const others = mostly(
    constants(['']),
    constants(['sort=petId', 'limit=1&limit=1', 'after=1&after=1', 'Limit=5'], INVALID),
    19,
  );
  const most = fc.nat(documented.length);
  const queries = fc.tuple(fc.tuple(...each), others, most).map(([texts, other, first]) => {
    const present = texts.filter((text) => text !== undefined);
    // A few at a time: of all together none would fit.
    const chosen = [...present.slice(first), ...present.slice(0, first)].slice(0, 3);
    const faults = [...chosen, other].flatMap((one) => one.faults);
    const parameters = Object.fromEntries(chosen.map(({ name, value }) => [name, value]));
    if ('asOf' in parameters && 'atSequence' in parameters) faults.push(INVALID);
    // The pages of a search are in the order of a word, which no cursor here has.
    const isSearch = ['q', 'category'].some((name) => name in parameters);
    const isOneCode = 'sku' in parameters || 'barcode' in parameters;
    if (isSearch && !isOneCode && 'cursor' in parameters) faults.push(INVALID);
    const pairs = chosen.map(({ name, value }) => `${name}=${encoded(value)}`);
    const text = [...pairs, other.value].filter(Boolean).join('&');
    return part<Query>({ text: text && `?${text}`, parameters }, ...faults);
  });
  return fc.oneof({ weight: 1, arbitrary: none }, { weight: 3, arbitrary: queries });
}

/** A place in the ledger is put in when it is known. */
function encoded(value: string): string {
  return value.startsWith('@') ? value : encodeURIComponent(value);
}
