import type { QueryResultRow } from 'pg';
import { unreadable } from '../errors.ts';
import { LedgerReader, type LedgerSource, type LedgerStatementName } from '../history/ledger-reader.ts';
import { HISTORY } from '../history/movement-sql.ts';
import { STOCK_TOTALS, stockQueries } from '../history/snapshot-sql.ts';
import { type TotalsRow, wholeTotals } from '../history/stock-totals.ts';
import { readPrunesAfter } from '../ledger/prune-rows.ts';
import { connectionAuditSource } from './audit-source.ts';
import { type Connection, named, type Statement } from './connection.ts';
import { ReadReplica } from './read-replica.ts';
import { READ } from './statements.ts';

const STATEMENTS: Record<LedgerStatementName | 'stockTotals', Statement> = named({
  ...HISTORY,
  ...stockQueries('pet_id = ANY (CAST($1 AS bigint[]))'),
  stockTotals: STOCK_TOTALS,
});

/**
 * Reads the ledger. It uses a replica's result only where that certainly misses nothing.
 * @param replica A server that may lag behind or be down.
 */
export function postgresLedger({
  fresh,
  replica,
}: {
  readonly fresh: Connection;
  readonly replica?: Connection | undefined;
}): LedgerReader {
  const prunes = connectionAuditSource(fresh);
  const all = <Row>(statement: Statement, values: readonly unknown[]) =>
    fresh.read<Row & QueryResultRow>(statement, values).catch(unreadable);
  const read: LedgerSource['read'] = <Row>(name: LedgerStatementName, values: readonly unknown[]) =>
    all<Row>(STATEMENTS[name], values);
  const following =
    replica &&
    new ReadReplica(replica, async (sequence) => {
      const [row] = await fresh.read<{ hash: string }>(READ.hashAt, [sequence]);
      return row?.hash;
    });
  return new LedgerReader({
    read,
    readReplica: following && ((name, values, use) => following.ask(STATEMENTS[name], values, use)),
    readTotals: async () => wholeTotals(await all<TotalsRow>(STATEMENTS.stockTotals, [])),
    prunesAfter: (sequence) => readPrunesAfter(prunes, sequence).catch(unreadable),
  });
}
