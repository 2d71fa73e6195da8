import type { ManagementStores } from '../domain/admin-store.ts';
import type { Auditor } from '../domain/ledger-store.ts';
import { Audits } from './audits.ts';
import type { ManagementDatabase } from './call-messages.ts';
import { ManagementThread } from './management-thread.ts';
import type { CallChecks } from './refused-calls.ts';

/** Actions take milliseconds, except where they wait for an import that is being applied. */
const TIMEOUT_MS = 30_000;

/**
 * A thread for each kind of action, so that none waits for those of another kind: the pages of ten exports would delay each
 * of the calls of an import. The threads of what only reads end after use. Exports and audits give way to all others, because
 * they run in the background.
 */
export class ManagementThreads {
  readonly stores: ManagementStores;
  readonly audits: Auditor;
  readonly #threads: readonly ManagementThread[];

  constructor(database: Pick<ManagementDatabase, 'url' | 'rules' | 'pepper'>, checks: CallChecks) {
    const quick = { ...database, responseTimeoutMs: TIMEOUT_MS };
    const management = new ManagementThread(quick, checks);
    const jobs = new ManagementThread(database, checks);
    const reading = { ...quick, endsIdle: true };
    const exporting = new ManagementThread({ ...reading, givesWay: true }, checks);
    const reporting = new ManagementThread(reading, checks);
    const auditing = new ManagementThread({ ...reading, givesWay: true }, checks);
    this.#threads = [management, jobs, exporting, reporting, auditing];
    this.stores = {
      management: management.store,
      jobs: jobs.store,
      exporting: exporting.store,
      reporting: reporting.store,
    };
    this.audits = new Audits(() => auditing.store.audit());
  }

  /** Ends the threads with their connections, as `ManagementThread.restart`. */
  restart(): void {
    for (const thread of this.#threads) thread.restart();
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
