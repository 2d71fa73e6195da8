import { type ChainHead, EMPTY_CHAIN } from '../../domain/ledger/ledger.ts';
import type { ChainPoint } from '../../domain/ledger-store.ts';
import { hexOf } from '../hex.ts';
import { type RowReader, rowStatement, type SqlReader } from '../sql-client.ts';

/** The retention start, and how far the newest prune has deleted. */
export interface LedgerStart extends ChainHead {
  readonly deletion: Deletion;
}

/**
 * The movement up to which a prune has deleted. A check continues from its hash: up to the start of the prune before,
 * the digest of the movements that one retained, continued up to here; after it, the hash of the movement.
 */
export type Deletion = ChainPoint;

const START = rowStatement(
  'auditStart',
  'SELECT sequence, recorded_at, hash, deleted_sequence, deleted_hash FROM ledger_start',
);
type StartRow = readonly [
  sequence: number,
  recordedAtMs: number,
  hash: Uint8Array,
  deletedSequence: number,
  deletedHash: Uint8Array,
];

const HEAD = rowStatement('auditHead', 'SELECT sequence FROM movements ORDER BY sequence DESC LIMIT 1');
type HeadRow = readonly [sequence: number];

/** The retention start; `undefined` only in a damaged database. */
export async function readStart(reader: RowReader): Promise<LedgerStart | undefined> {
  const [row] = await reader.read<StartRow>(START, []);
  if (!row) return undefined;
  const [sequence, recordedAtMs, hash, deletedSequence, deletedHash] = row;
  const deletion = { sequence: deletedSequence, hash: hexOf(deletedHash) };
  return { sequence, recordedAtMs, hash: hexOf(hash), deletion };
}

/** The newest movement's sequence; 0 where there is none. */
export async function readHead(reader: RowReader): Promise<number> {
  const [newest] = await reader.read<HeadRow>(HEAD, []);
  return newest?.[0] ?? 0;
}

/**
 * The newest movement, with the hash of the newest prune where that was made after it; no row in an empty ledger. The
 * newest movement is never pruned. Read it under the ledger's lock to add to the chain.
 */
export const CHAIN_HEAD = `SELECT sequence, recorded_at AS "recordedAtMs", coalesce((
  SELECT prunes.hash FROM prunes WHERE number = (SELECT max(number) FROM prunes) AND after_sequence = sequence
), movements.hash) AS hash FROM movements ORDER BY sequence DESC LIMIT 1`;

export interface ChainHeadRow extends Omit<ChainHead, 'hash'> {
  readonly hash: Uint8Array;
}

export function toChainHead(row: ChainHeadRow | undefined): ChainHead {
  if (!row) return EMPTY_CHAIN;
  return { sequence: row.sequence, recordedAtMs: row.recordedAtMs, hash: hexOf(row.hash) };
}

/** The point of the hash chain after which the next movement or prune is added. */
export async function readChainHead(client: SqlReader): Promise<ChainHead> {
  const [row] = await client.all<ChainHeadRow>(CHAIN_HEAD);
  return toChainHead(row);
}
