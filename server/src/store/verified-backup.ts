import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import { OperatorError } from '../domain/errors.ts';
import type { AuditReport } from '../domain/ledger-store.ts';
import { openAdmin, prepareStore } from './open-admin.ts';
import type { FoundDatabase } from './schema/database-metadata.ts';

/** A backup that was restored elsewhere, brought up to the schema of this release there, and verified. */
export interface VerifiedBackup {
  readonly identity: FoundDatabase;
  readonly report: AuditReport;
  /** The migrations that the restored database got, because the backup is of an older release. */
  readonly migrations: readonly string[];
}

/** The hash of a movement in a backup, in hexadecimal digits; `undefined` if it was pruned or is not there. */
export type HashOf = (sequence: number) => string | undefined | Promise<string | undefined>;

/**
 * Brings a restored database up to the schema of this release, and verifies its integrity, every hash and every balance.
 * @throws OperatorError for a schema that is newer; `notBackup` for a database that is not of this service.
 */
export async function verifyRestored(
  url: string,
  {
    notBackup,
    acceptedUnsafe = [],
    progress,
  }: {
    readonly notBackup: () => OperatorError;
    readonly acceptedUnsafe?: readonly string[];
    readonly progress: ReportProgress | undefined;
  },
): Promise<VerifiedBackup> {
  const { migrations } = await prepareStore(url, acceptedUnsafe, (found) => {
    if (found) return found;
    throw notBackup();
  });
  const store = await openAdmin(url);
  try {
    const { environment, pepperCheck, isSample, move, settings } = store;
    const report = await store.verify(undefined, progress);
    return { identity: { environment, pepperCheck, isSample, move, settings }, report, migrations };
  } finally {
    await store.close();
  }
}

/** @throws OperatorError for a backup with faults; nothing replaces a database then. */
export function requireSound(backup: string, { report }: VerifiedBackup): void {
  const [fault] = report.faults;
  if (fault === undefined) return;
  throw new OperatorError(
    `${backup} has faults, and nothing was changed; use an older backup. The first fault: ${fault}`,
  );
}
