import type { Movement } from '../../domain/ledger.ts';

type Column = readonly [
  type: 'bigint' | 'text' | 'bytea',
  value: (movement: Movement) => string | number | null,
];

/** How each column of a movement is written. */
const COLUMNS_BY_NAME: Readonly<Record<string, Column>> = {
  sequence: ['bigint', ({ sequence }) => sequence],
  previous_sequence: ['bigint', ({ previousSequence }) => previousSequence],
  pet_id: ['bigint', ({ petId }) => String(petId)],
  version: ['bigint', ({ version }) => version],
  kind: ['text', ({ kind }) => kind],
  quantity_before: ['bigint', ({ quantityBefore }) => quantityBefore],
  quantity_after: ['bigint', ({ quantityAfter }) => quantityAfter],
  status_before: ['text', ({ statusBefore }) => statusBefore],
  status_after: ['text', ({ statusAfter }) => statusAfter],
  reason: ['text', ({ reason }) => reason],
  note: ['text', ({ note }) => note],
  reference_document_uri: ['text', ({ referenceDocumentUri }) => referenceDocumentUri],
  reference_id: ['text', ({ referenceId }) => referenceId],
  occurred_at: ['bigint', ({ occurredAtMs }) => occurredAtMs],
  actor: ['text', ({ actor }) => actor],
  request_id: ['text', ({ requestId }) => requestId],
  recorded_at: ['bigint', ({ recordedAtMs }) => recordedAtMs],
  reverted_sequence: ['bigint', ({ revertedSequence }) => revertedSequence],
  hash: ['bytea', ({ hash }) => `"\\\\x${hash}"`],
};

const COLUMNS = Object.values(COLUMNS_BY_NAME);
const ARRAYS = COLUMNS.map(([type], i) => `$${i + 1}::${type}[]`);

/** Adds the movements whose columns it is given. */
export const RECORD_MOVEMENTS = `INSERT INTO movements (${Object.keys(COLUMNS_BY_NAME).join(', ')})
SELECT * FROM unnest(${ARRAYS.join(', ')})`;

/** What `RECORD_MOVEMENTS` takes: an array for each column. */
export function columnsOf(movements: readonly Movement[]): unknown[] {
  return COLUMNS.map(([type, value]) => {
    const column = movements.map(value);
    // `unnest` fills up a shorter array with nulls.
    if (column.every((each) => each === null)) return [];
    // Texts are quoted by the client; what needs no quotes is an array's text at once, in a quarter of the time.
    return type === 'text' ? column : `{${column.map((each) => each ?? 'NULL').join()}}`;
  });
}
