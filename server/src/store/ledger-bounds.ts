import type { LedgerEnd } from '../domain/ledger.ts';
import { type RowReader, rowStatement } from './row-reader.ts';

const START = rowStatement('auditStart', 'SELECT sequence, recorded_at, hash FROM ledger_start');
type StartRow = readonly [sequence: number, recordedAtMs: number, hash: Uint8Array];

const HEAD = rowStatement('auditHead', 'SELECT sequence FROM movements ORDER BY sequence DESC LIMIT 1');
type HeadRow = readonly [sequence: number];

/** Where the ledger begins; a database of ours always says. */
export async function readStart(reader: RowReader): Promise<LedgerEnd | undefined> {
  const [row] = await reader.read<StartRow>(START, []);
  if (!row) return undefined;
  const [sequence, recordedAtMs, hash] = row;
  return { sequence, recordedAtMs, hash: Buffer.from(hash).toString('hex') };
}

/** The newest movement's sequence; 0 where there is none. */
export async function readHead(reader: RowReader): Promise<number> {
  const [newest] = await reader.read<HeadRow>(HEAD, []);
  return newest?.[0] ?? 0;
}
