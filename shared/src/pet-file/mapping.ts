import { hasAtMost } from '../characters.ts';
import { isRecord } from '../is-record.ts';
import { MAX_HEADING, MAX_MAPPING_COLUMNS, MAX_MAPPING_NAME, MAX_SHEET_NAME } from '../limits.ts';
import { shownValue } from '../shown-value.ts';
import { describeUnstorable, unstorableInLine } from '../storable-text.ts';
import { DECIMALS, type Decimal, ENCODINGS, type Encoding } from '../words.ts';
import { headingKey, isPetField, type MappedColumn, PET_FIELDS } from './headings.ts';
import type { Reading } from './reading.ts';

/** How files of one source are read: what their columns are, and what the files do not show. */
export interface MappingValues {
  readonly columns: readonly MappedColumn[];
  readonly decimal: Decimal | null;
  readonly encoding: Encoding | null;
  readonly sheet: string | null;
}

export interface NamedMapping extends MappingValues {
  readonly name: string;
}

/** Separates what people see as one name: letters that have no width, and marks that reverse a text. */
const INVISIBLE = /[\p{Cf}\u2028\u2029\ufffd]/u;

/** What is wrong with the name of a mapping, as the end of a sentence; `undefined`: nothing. */
export function mappingNameFault(name: string): string | undefined {
  const character = unstorableInLine(name);
  if (character !== undefined) return `has ${describeUnstorable(character)}`;
  if (INVISIBLE.test(name)) return 'has an invisible or unreadable character; remove it.';
  if (name.trim() !== name) return 'begins or ends with a space; remove it.';
  if (name === '' || !hasAtMost(name, MAX_MAPPING_NAME))
    return `must have 1 to ${MAX_MAPPING_NAME} characters.`;
  // Programs shorten these steps of an address.
  return name === '.' || name === '..' ? 'is a step of an address; use letters.' : undefined;
}

/** What is wrong with a mapping, as a sentence; `undefined`: nothing. */
export function mappingFault({ columns, sheet }: MappingValues): string | undefined {
  if (columns.length === 0) return 'The mapping has no columns.';
  if (columns.length > MAX_MAPPING_COLUMNS)
    return `There are ${columns.length} columns, and a mapping may have ${MAX_MAPPING_COLUMNS}.`;
  const keys = new Set<string>();
  const fields = new Set<string>();
  for (const { heading, field } of columns) {
    const shown = shownValue(heading);
    if (!hasAtMost(heading, MAX_HEADING))
      return `The heading ${shown} has more than ${MAX_HEADING} characters.`;
    if (!heading.isWellFormed() || heading.includes('\0')) return `The heading ${shown} cannot be stored.`;
    const key = headingKey(heading);
    if (key === '' && field !== null) return `A column without a heading cannot be ${field}.`;
    if (keys.has(key)) return `The heading ${shown} is there twice.`;
    if (field !== null && fields.has(field)) return `Two columns are ${field}; leave one of them out.`;
    keys.add(key);
    if (field !== null) fields.add(field);
  }
  if (sheet === null) return undefined;
  if (sheet === '' || !hasAtMost(sheet, MAX_SHEET_NAME))
    return `The sheet must have 1 to ${MAX_SHEET_NAME} characters.`;
  return unstorableInLine(sheet) === undefined
    ? undefined
    : `The sheet ${shownValue(sheet)} is not one line.`;
}

/** How a file is read with a mapping. What is given besides it comes first. */
export function readingOf(mapping: NamedMapping, given: Reading = {}): Reading {
  const { name, columns, decimal, encoding, sheet } = mapping;
  return {
    decimal: given.decimal ?? decimal ?? undefined,
    encoding: given.encoding ?? encoding ?? undefined,
    sheet: given.sheet ?? sheet ?? undefined,
    ignored: given.ignored,
    // Of two columns with the same heading the first one counts.
    columns: [...(given.columns ?? []), ...columns],
    mapping: name,
  };
}

export class MappingFileError extends Error {
  override name = 'MappingFileError';
}

/** Reads the JSON of a mapping, as `petstore-server pets mappings show --json` writes it. @throws MappingFileError */
export function parseMapping(json: string): NamedMapping {
  const wrong = (what: string): never => {
    throw new MappingFileError(`this is no mapping: ${what}`);
  };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return wrong('it is not JSON.');
  }
  if (!isRecord(value)) return wrong('it is not an object.');
  const { name, columns, decimal = null, encoding = null, sheet = null } = value;
  if (typeof name !== 'string') return wrong('it has no name.');
  const nameFault = mappingNameFault(name);
  if (nameFault !== undefined) return wrong(`its name ${nameFault}`);
  if (!Array.isArray(columns)) return wrong('it has no columns.');
  const checked = columns.map((column: unknown): MappedColumn => {
    if (!isRecord(column) || typeof column.heading !== 'string') return wrong('a column has no heading.');
    const { heading, field = null } = column;
    if (field === null || (typeof field === 'string' && isPetField(field))) return { heading, field };
    return wrong(`${shownValue(field)} is not null, nor one of ${PET_FIELDS.join(', ')}.`);
  });
  const mark = DECIMALS.find((known) => known === decimal) ?? null;
  const code = ENCODINGS.find((known) => known === encoding) ?? null;
  if (mark !== decimal) return wrong(`its decimal is not one of ${DECIMALS.join(', ')}.`);
  if (code !== encoding) return wrong(`its encoding is not one of ${ENCODINGS.join(', ')}.`);
  if (sheet !== null && typeof sheet !== 'string') return wrong('its sheet is not a text.');
  const mapping = { name, columns: checked, decimal: mark, encoding: code, sheet };
  const fault = mappingFault(mapping);
  return fault === undefined ? mapping : wrong(fault);
}
