import type { AdminStore } from './admin-store.ts';
import type { AuditReport, ChainPoint } from './ledger-store.ts';

/**
 * The operator's commands for a serving process, which runs them in a thread of their own. What needs a file or an
 * iterator of the caller is left to the command line. Where the thread fails, callers get
 * `ApiError('service_unavailable')`.
 */
export interface ManagementStore
  extends Omit<AdminStore, 'environment' | 'importPets' | 'importJobs' | 'backup' | 'verify' | 'close'> {
  /** As `AdminStore.verify`; no message carries a function. */
  verify(expected?: readonly ChainPoint[]): Promise<AuditReport>;
}
