import { setImmediate as turn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { fitMemoryToLoad } from '../process/fit-memory-to-load.ts';
import { ApiError, OperatorError, serviceUnavailable } from '../domain/errors.ts';
import { openAdmin } from '../store/open-admin.ts';
import type { OpenedAdminStore } from '../store/schema/database-metadata.ts';
import { Sequentially } from '../store/sql-client.ts';
import { giveWay } from '../process/give-way.ts';
import { type ManagementCall, type CallReply, type ManagementDatabase, packError } from './call-messages.ts';

/** A management thread has a connection of its own, and runs one call after the other on it. */
const { url, rules, pepper, responseTimeoutMs, givesWay } = workerData as ManagementDatabase;
if (givesWay) giveWay();
// Files and bulk changes make a row each.
fitMemoryToLoad({ decidesGrowth: true });
const calls = new Sequentially();
let store: OpenedAdminStore | undefined;

/** Opens another connection after one that was lost while no call ran. */
async function openedStore(): Promise<OpenedAdminStore> {
  // A call and the end of the connection can arrive in the same turn.
  if (store) await turn();
  if (store?.isLost) await closeStore();
  store ??= await openAdmin(url, { rules, pepper: () => pepper, responseTimeoutMs }).catch(
    (cause: unknown) => {
      throw serviceUnavailable('The database cannot be used now.', cause);
    },
  );
  return store;
}

async function closeStore(): Promise<void> {
  const closing = store;
  store = undefined;
  await closing?.close().catch(() => undefined);
}

async function replyTo({ id, path, values }: ManagementCall): Promise<CallReply> {
  try {
    return { id, result: await execute(await openedStore(), path, values) };
  } catch (error) {
    // The connection may be lost: the next call opens another one.
    if (!(error instanceof OperatorError) && !(error instanceof ApiError)) await closeStore();
    return { id, failure: packError(error) };
  }
}

/** Calls the method that a path names. */
function execute(owner: object, path: readonly string[], values: unknown[]): unknown {
  const [name = '', ...rest] = path;
  const member = (owner as Record<string, unknown>)[name];
  if (rest.length > 0) return execute(member as object, rest, values);
  return (member as (...values: unknown[]) => unknown).apply(owner, values);
}

async function handle(message: ManagementCall | 'close'): Promise<void> {
  if (message !== 'close') return parentPort?.postMessage(await replyTo(message));
  await closeStore();
  parentPort?.close();
}

parentPort?.on('message', (message: ManagementCall | 'close') => {
  calls
    .run(() => handle(message))
    .catch((error: unknown) => {
      // Uncaught, so that the thread ends and its calls are rejected.
      queueMicrotask(() => {
        throw error;
      });
    });
});
