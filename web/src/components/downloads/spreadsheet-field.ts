import { spreadsheetField as sharedField } from '@petstore-inventory/shared/pet-file/csv-records';

/** PetIds are texts here. A negative one is a number, and no formula. */
const INTEGER = /^-?\d+$/;

/** A value in a CSV file that people open in a spreadsheet. */
export function spreadsheetField(value: string | number | boolean | null): string {
  return typeof value === 'string' && INTEGER.test(value) ? value : sharedField(value);
}
