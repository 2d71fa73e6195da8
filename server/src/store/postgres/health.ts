import type { Connection } from './connection.ts';
import { READ } from './statements.ts';

const HEALTHY_WITHIN_MS = 2_000;

/** Resolves when the database can be written to, rejects with the reason when not. */
export async function requireWritable(connection: Connection): Promise<void> {
  const tooLate = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`The database did not answer within ${HEALTHY_WITHIN_MS} ms.`));
    setTimeout(fail, HEALTHY_WITHIN_MS).unref();
  });
  const [health] = await Promise.race([connection.read<{ isWritable: boolean }>(READ.health), tooLate]);
  if (!health?.isWritable) throw new Error('The database can only be read: it may be a replica now.');
}
