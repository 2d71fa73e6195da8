import { isRecord } from '@petstore-inventory/shared/is-record';
import { type Mapping, PET_FIELDS } from '@petstore-inventory/shared/pet-file/headings';
import { DECIMALS, type Decimal, ENCODINGS, IMPORT_MODES } from '@petstore-inventory/shared/words';
import type { ImportMode } from '../../../api/schemas.ts';
import { readOneOf, readTexts } from '../../../drafts/drafts.ts';
import type { RowValues } from './mapped-file.ts';
import type { Answer } from './question.ts';

export const IMPORT_PLACE = 'import';

/** By these a file is known again. */
export type FileFacts = Readonly<Pick<File, 'name' | 'size' | 'lastModified'>>;

/** A file that is prepared, with what the person chose for it. */
export interface ImportDraft {
  readonly file: FileFacts;
  /** The content of the file; a draft of an earlier release has none. */
  readonly content?: string;
  readonly answer: Answer;
  readonly mapping: Mapping;
  readonly mode: ImportMode;
  readonly decimal: Decimal | null;
  readonly mended: readonly (readonly [line: number, values: RowValues])[];
}

/**
 * Whether a file that is chosen is the one of a draft. An edit may leave name and size as they are, and a copy of the same
 * content has another time.
 */
export function isFileOf(
  draft: Pick<ImportDraft, 'file' | 'content'>,
  { file, content }: { readonly file: FileFacts; readonly content: string },
): boolean {
  if (draft.file.name !== file.name || draft.file.size !== file.size) return false;
  return draft.content === undefined
    ? draft.file.lastModified === file.lastModified
    : draft.content === content;
}

export const factsOf = ({ name, size, lastModified }: FileFacts): FileFacts => ({ name, size, lastModified });

/** Reads a prepared import that the browser has kept; `undefined` if it is none. */
export function readImportDraft(value: unknown): ImportDraft | undefined {
  if (!isRecord(value)) return undefined;
  const [file, mode] = [readFacts(value.file), readOneOf(value.mode, IMPORT_MODES)];
  const fields = [null, ...PET_FIELDS];
  const { content, mapping, mended, answer } = value;
  const isMapping = Array.isArray(mapping) && mapping.every((field) => fields.includes(field));
  const isMended = Array.isArray(mended) && mended.every(isMendedRow);
  if (!file || !mode || !isMapping || !isMended) return undefined;
  return {
    file,
    ...(typeof content === 'string' && { content }),
    answer: readAnswer(answer),
    mapping: mapping as Mapping,
    mode,
    decimal: readOneOf(value.decimal, DECIMALS) ?? null,
    mended: mended as ImportDraft['mended'],
  };
}

function readFacts(value: unknown): FileFacts | undefined {
  const name = readTexts(value, ['name'])?.name;
  if (name === undefined || !isRecord(value)) return undefined;
  const { size, lastModified } = value;
  return typeof size === 'number' && typeof lastModified === 'number'
    ? { name, size, lastModified }
    : undefined;
}

function readAnswer(value: unknown): Answer {
  if (!isRecord(value)) return {};
  const encoding = readOneOf(value.encoding, ENCODINGS);
  const sheet = typeof value.sheet === 'string' ? value.sheet : undefined;
  return { ...(encoding && { encoding }), ...(sheet !== undefined && { sheet }) };
}

function isMendedRow(row: unknown): boolean {
  if (!Array.isArray(row)) return false;
  const [line, values] = row as readonly unknown[];
  const isFields = isRecord(values) && Object.values(values).every((text) => typeof text === 'string');
  return Number.isSafeInteger(line) && isFields;
}
