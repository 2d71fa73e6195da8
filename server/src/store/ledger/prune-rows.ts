import type { Prune } from '../../domain/ledger/prunes.ts';
import { bytesOf, hexOf } from '../hex.ts';
import { type RowReader, rowStatement } from '../sql-client.ts';

const COLUMNS = `number, after_sequence, start_sequence, start_recorded_at, start_hash, decided_sequence, retained, retained_digest, deleted,
actor, recorded_at, previous_hash, hash`;

/** Records a prune, whose columns are `$1` to `$13`. */
export const RECORD_PRUNE = `INSERT INTO prunes (${COLUMNS})
VALUES (${COLUMNS.split(',').map((_, i) => `$${i + 1}`)})`;

/** The number of the newest prune, 0 where there is none; no row while that prune is not done. */
export const NEWEST_DONE = `SELECT coalesce(max(number), 0) AS number FROM prunes
HAVING EXISTS (SELECT 1 FROM ledger_start WHERE deleted_sequence >= sequence)`;

const PRUNES_AFTER = rowStatement(
  'prunesAfter',
  `SELECT ${COLUMNS} FROM prunes WHERE after_sequence = $1 ORDER BY number`,
);

const PRUNES = rowStatement('prunes', `SELECT ${COLUMNS} FROM prunes ORDER BY number`);

/** The values of the columns, in their order. */
type PruneRow = readonly [
  number: number,
  afterSequence: number,
  startSequence: number,
  startRecordedAtMs: number,
  startHash: Uint8Array,
  decidedSequence: number,
  retained: number,
  retainedDigest: Uint8Array,
  deleted: number,
  actor: string,
  recordedAtMs: number,
  previousHash: Uint8Array,
  hash: Uint8Array,
];

/** All prunes, the oldest first. */
export async function readPrunes(reader: RowReader): Promise<readonly Prune[]> {
  return (await reader.read<PruneRow>(PRUNES, [])).map(toPrune);
}

/** The prunes made after a movement and before the next one. */
export async function readPrunesAfter(reader: RowReader, sequence: number): Promise<readonly Prune[]> {
  return (await reader.read<PruneRow>(PRUNES_AFTER, [sequence])).map(toPrune);
}

function toPrune(row: PruneRow): Prune {
  return {
    number: row[0],
    afterSequence: row[1],
    start: { sequence: row[2], recordedAtMs: row[3], hash: hexOf(row[4]) },
    decidedSequence: row[5],
    retained: row[6],
    retainedDigest: hexOf(row[7]),
    deleted: row[8],
    actor: row[9],
    recordedAtMs: row[10],
    previousHash: hexOf(row[11]),
    hash: hexOf(row[12]),
  };
}

/** The values of `RECORD_PRUNE`. */
export function pruneColumns(prune: Prune): (number | string | Buffer)[] {
  const { number, afterSequence, start, retained, deleted, actor, recordedAtMs } = prune;
  return [
    number,
    afterSequence,
    start.sequence,
    start.recordedAtMs,
    bytesOf(start.hash),
    prune.decidedSequence,
    retained,
    bytesOf(prune.retainedDigest),
    deleted,
    actor,
    recordedAtMs,
    bytesOf(prune.previousHash),
    bytesOf(prune.hash),
  ];
}
