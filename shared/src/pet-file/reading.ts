import type { Decimal, Encoding } from '../words.ts';
import type { MappedColumn } from './headings.ts';

/** How a file is read where it does not show that itself, as JSON keeps it. */
export interface Reading {
  /** What decides about numbers with two readings. Without it they are faults, unless other numbers prove it. */
  readonly decimal?: Decimal | undefined;
  readonly encoding?: Encoding | undefined;
  /** The sheet of a workbook, where several have pets. */
  readonly sheet?: string | undefined;
  /** Columns and members that are left out, without spaces at their ends. */
  readonly ignored?: readonly string[] | undefined;
  /** What columns and members are, before their known names. Those with a field must be in a table. */
  readonly columns?: readonly MappedColumn[] | undefined;
  /** The name of the remembered mapping that has them. */
  readonly mapping?: string | undefined;
}

/** How a file was read: what it showed, and what was given. `null`: its format has none, or nothing needed it. */
export interface FileFacts {
  readonly encoding: Encoding | null;
  /** Between the fields of CSV. */
  readonly separator: string | null;
  readonly headingLine: number | null;
  readonly sheet: string | null;
  readonly decimal: Decimal | null;
  /** Columns of an export of the dashboard that an import does not change. */
  readonly leftOut: readonly string[];
  /** The remembered mapping of its columns. */
  readonly mapping: string | null;
}

const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
};

/** What is not plain about a file, as a sentence for people; `undefined`: nothing. */
export function describeFacts(facts: FileFacts): string | undefined {
  const { encoding, separator, headingLine, sheet, decimal, leftOut, mapping } = facts;
  const parts = [
    ...(encoding === null || encoding === 'utf-8' ? [] : [ENCODING_NAMES[encoding]]),
    ...(separator === null || separator === ','
      ? []
      : [`${separator === '\t' ? 'tabs' : separator} between fields`]),
    ...(sheet === null ? [] : [`the sheet ${JSON.stringify(sheet)}`]),
    ...(headingLine === null || headingLine === 1 ? [] : [`headings in line ${headingLine}`]),
    ...(decimal === null ? [] : [`decimal ${decimal}`]),
    ...(mapping === null ? [] : [`the mapping ${JSON.stringify(mapping)}`]),
  ];
  const sentences = [
    ...(parts.length === 0 ? [] : [`Read as ${parts.join(', ')}.`]),
    ...(leftOut.length === 0 ? [] : [`Left out ${leftOut.join(', ')}, which an import does not change.`]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}
