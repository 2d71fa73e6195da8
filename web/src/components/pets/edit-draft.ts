import { isRecord } from '@petstore-inventory/shared/is-record';
import type { PetDetails, WaitingDetails } from '../../counts/details.ts';
import { draftKey, drafts, readTexts } from '../../drafts/drafts.ts';
import { linesOf } from './code-values.ts';

/** The fields of the form that edits a pet. */
export const FIELDS = ['name', 'category', 'lowStockAt', 'restockAt', 'sku', 'barcodes'] as const;
export type Field = (typeof FIELDS)[number];
export type Values = Readonly<Record<Field, string>>;

export const editPlace = (petId: string): string => `edit-pet:${petId}`;
/** A search parameter of the page of a pet, which opens the form. */
export const EDIT_PARAMETER = 'edit';

/** The fields that the person changed, as typed and as they were. */
export interface EditDraft {
  readonly typed: Partial<Values>;
  readonly before: Partial<Values>;
}

export function readEditDraft(value: unknown): EditDraft | undefined {
  if (!isRecord(value) || !isRecord(value.typed)) return undefined;
  const fields = FIELDS.filter((field) => field in (value.typed as object));
  const [typed, before] = [readTexts(value.typed, fields), readTexts(value.before, fields)];
  return typed && before && { typed, before };
}

/** Whether the form can edit these details: the status is not in it. */
export const isInForm = ({ values }: WaitingDetails): boolean => values.status === undefined;

/** Keeps an edit that was refused as the draft of the form. @returns Whether the browser has room for it. */
export function keepAsDraft(keyId: string, petId: string, { values, before }: WaitingDetails): boolean {
  const fields = FIELDS.filter((field) => values[field] !== undefined);
  const draft: EditDraft = { typed: textsOf(values, fields), before: textsOf(before, fields) };
  return drafts.keep(draftKey(keyId, editPlace(petId)), draft);
}

const textsOf = (details: Partial<PetDetails>, fields: readonly Field[]): Partial<Values> =>
  Object.fromEntries(fields.map((field) => [field, textOf(details[field])]));

const textOf = (value: PetDetails[Field] | undefined): string =>
  typeof value === 'object' && value !== null ? linesOf(value) : String(value ?? '');
