import { isRecord } from '@petstore-inventory/shared/is-record';
import type { ActivityEntry } from '../../../api/schemas.ts';
import type { Texts } from '../../../texts/en.ts';
import type { Format } from '../../../texts/format.ts';
import type { Part } from './part.ts';

/** What an edit can change, and where its line has the earlier value: only an edit of one pet has it. */
const FIELDS = {
  name: 'previousName',
  category: 'previousCategory',
  status: undefined,
  lowStockAt: 'previousLowStockAt',
  restockAt: 'previousRestockAt',
  sku: 'previousSku',
  barcodes: 'previousBarcodes',
  supplier: undefined,
} as const;
type Field = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as Field[];

/** The fields that an edit of one pet or of many changed, each with its value before, if the line has it, and after. */
export function changedFields(
  { details }: ActivityEntry,
  texts: Texts,
  format: Format,
): readonly (readonly Part[])[] {
  const values = isRecord(details.set) ? details.set : details;
  const given = isRecord(values.thresholds) ? { ...values, ...values.thresholds } : values;
  const { archived } = given;
  if (typeof archived === 'boolean') return [[{ text: archived ? texts.log.archived : texts.log.restored }]];
  // A change of many pets: of each, as many as it needs.
  const orders = isRecord(details.set) && given.ordered !== undefined ? [[{ text: texts.log.ordered }]] : [];
  const changed = NAMES.filter((name) => given[name] !== undefined && !isImplied(name, given)).map((name) => {
    const after = valueText(name, given[name], texts, format);
    const previous = FIELDS[name];
    const hasBefore = previous !== undefined && given[previous] !== undefined;
    // Each value is a part: in one, names that are written from right to left would change places around the arrow.
    const before = hasBefore
      ? [{ text: valueText(name, given[previous], texts, format), isValue: true }]
      : [];
    return [
      { text: `${texts.shared.fields[name]} ` },
      ...before,
      { text: hasBefore ? ' → ' : '→ ' },
      { text: after, isValue: true },
    ];
  });
  // Each pet has a code of its own.
  return given.inStorePrefix === undefined
    ? [...orders, ...changed]
    : [...changed, [{ text: texts.shared.fields.barcodes }]];
}

/** Without a low level there is no other one either. */
const isImplied = (name: Field, given: Readonly<Record<string, unknown>>): boolean =>
  name === 'restockAt' && given.restockAt === null && given.lowStockAt === null;

function valueText(name: Field, value: unknown, { shared, pet }: Texts, format: Format): string {
  if (typeof value === 'number') return format.quantity(value);
  if (Array.isArray(value) && value.length > 0) return value.map(String).join(', ');
  if (typeof value === 'string' && value !== '') {
    return name === 'status' && Object.hasOwn(shared.status, value)
      ? shared.status[value as keyof typeof shared.status]
      : value;
  }
  if (name === 'category') return shared.noCategory;
  return name === 'lowStockAt' ? pet.shopDefault : '–';
}
