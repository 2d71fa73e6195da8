import type { NewestBackup } from '../../domain/newest-backup.ts';
import type { SqlClient } from '../sql-client.ts';

/** The eleventh migration of both engines, in the types of PostgreSQL: the newest backup whose restore was verified. */
export const NEWEST_BACKUP = `
CREATE TABLE newest_backup (
  id bigint PRIMARY KEY CHECK (id = 1),
  made_at bigint NOT NULL,
  head_sequence bigint NOT NULL,
  byte_count bigint NOT NULL
)`;

export const READ_NEWEST_BACKUP =
  'SELECT made_at AS "madeAtMs", head_sequence AS sequence, byte_count AS bytes FROM newest_backup';

/**
 * Of two backups at the same time, one that began before may be verified after. The place in the ledger decides, because clocks
 * can be wrong.
 */
const RECORD = `INSERT INTO newest_backup VALUES (1, $1, $2, $3) ON CONFLICT (id) DO UPDATE
SET made_at = excluded.made_at, head_sequence = excluded.head_sequence, byte_count = excluded.byte_count
WHERE excluded.head_sequence >= newest_backup.head_sequence`;

/** Within a transaction: replaces the record of the newest backup, unless that has later movements. */
export async function writeNewestBackup(
  client: Pick<SqlClient, 'run'>,
  { madeAtMs, sequence, bytes }: NewestBackup,
): Promise<void> {
  await client.run(RECORD, [madeAtMs, sequence, bytes]);
}
