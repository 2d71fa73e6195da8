import type { Movement } from '../../domain/ledger/ledger.ts';
import { MOVEMENT_COLUMN_NAMES, MOVEMENT_COLUMNS } from '../ledger/movement-columns.ts';

const ARRAYS = MOVEMENT_COLUMNS.map(({ type }, i) => `$${i + 1}::${type}[]`);

/** Adds the movements whose columns are `movementArrays`. */
export const RECORD_MOVEMENTS = `INSERT INTO movements (${MOVEMENT_COLUMN_NAMES})
SELECT * FROM unnest(${ARRAYS.join(', ')})`;

/** An array per column. */
export function movementArrays(movements: readonly Movement[]): unknown[] {
  return MOVEMENT_COLUMNS.map(({ field, type }) => {
    const values = movements.map((movement) => movement[field]);
    // `unnest` fills up a shorter array with nulls.
    if (values.every((value) => value === null)) return [];
    if (type === 'text') return values;
    // The client quotes each text. Numbers and hashes need no quotes: their array's text takes a quarter of the time.
    const texts = type === 'bytea' ? values.map((hash) => `"\\\\x${hash}"`) : values;
    return `{${texts.map((text) => text ?? 'NULL').join()}}`;
  });
}
