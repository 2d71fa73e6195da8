import { setTimeout as delay } from 'node:timers/promises';
import { describeFault } from '@petstore-inventory/shared/pet-file/faults';
import { withProgress } from '@petstore-inventory/shared/terminal/progress';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { count } from '@petstore-inventory/shared/terminal/texts';
import { requireRightClock } from '../../domain/actions/clock.ts';
import type { AdminStore } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { IMPORT_FAILURES, type Import } from '../../domain/management/imports.ts';
import { requireYes, type YesOptions } from '../confirm.ts';
import { acceptanceOf, type ClockOptions } from '../options.ts';
import type { DatabaseRun } from '../with-database.ts';

const LOOK_MS = 200;
const SHOWN_ERRORS = 20;

export interface UndoOptions extends ClockOptions, YesOptions {
  readonly goodRows?: true;
}

/** Plans the undo of an import, asks, and applies it. Returns it as it is then. */
export async function undoImport(run: DatabaseRun, id: string, options: UndoOptions): Promise<Import> {
  const { store } = run;
  await requireRightClock(store, acceptanceOf(options));
  const made = await store.imports.undo(id, CLI_AUTHOR);
  // It waits since an earlier attempt.
  if (made.state === 'planned' || made.state === 'stale') await store.imports.plan(made.id, CLI_AUTHOR);
  const plan = await worked(run, 'Planning the undo', made.id);
  // Another person had applied it, and the service or this process has written it meanwhile.
  if (plan.state === 'applied') return plan;
  const { new: added, changed } = plan.counts;
  const changes = added + changed;
  const isGood = plan.state === 'planned';
  if (isGood && changes === 0) {
    await store.imports.cancel(plan.id, CLI_AUTHOR);
    throw new OperatorError(`Nothing of import ${id} is left to undo.`);
  }
  if (!isGood && !(options.goodRows && plan.state === 'invalid' && changes > 0)) throw refusalOf(plan);
  const left = plan.badRowCount === 0 ? '' : `, and ${count(plan.badRowCount, 'row')} left out`;
  try {
    await requireYes(options, {
      what: `pets imports undo would change ${count(changes, 'pet')}${left}`,
      question: () => `Give ${count(changes, 'pet')} back what import ${id} changed${left}?`,
      done: 'changed',
      instead: `look at import ${plan.id} in the dashboard, where it can be applied`,
    });
  } catch (error) {
    if (isGood && !options.json && process.stdin.isTTY) await store.imports.cancel(plan.id, CLI_AUTHOR);
    throw error;
  }
  await store.imports.apply(plan.id, CLI_AUTHOR, options.goodRows ?? false);
  const done = await worked(run, 'Undoing the import', plan.id);
  if (done.state !== 'applied') throw refusalOf(done);
  return done;
}

/** The import when its work is done, by this process or by a service. */
async function worked({ store, settings, command }: DatabaseRun, step: string, id: string): Promise<Import> {
  // It has the readers of files, which a start of the service leaves out.
  const { ImportRunner } = await import('../../management/jobs/import-runner.ts');
  const runner = new ImportRunner(store.importJobs, settings.maxQuantity, () => false);
  return withProgress(command, async (progress) => {
    progress.show(step);
    for (;;) {
      const found = await requireFound(store, id);
      if (found.state !== 'checking' && found.state !== 'applying') return found;
      if (!(await runner.runNext())) await delay(LOOK_MS);
    }
  });
}

async function requireFound({ imports }: AdminStore, id: string): Promise<Import> {
  const found = await imports.find(id);
  if (found) return found;
  throw new OperatorError(`Import ${id} was deleted meanwhile.`, { code: 'not_found' });
}

function refusalOf({ id, state, failure, faults, faultCount, counts }: Import): OperatorError {
  if (failure !== null) return new OperatorError(`Import ${id} has failed: ${IMPORT_FAILURES[failure]}`);
  const shown = faults.slice(0, SHOWN_ERRORS).map((fault) => `  ${safe(describeFault(fault))}`);
  const hidden = faultCount - shown.length;
  const lines = hidden > 0 ? [...shown, `  … and ${count(hidden, 'other')}`] : shown;
  const remedy =
    state === 'invalid'
      ? counts.new + counts.changed > 0
        ? ' Correct these pets, or leave the rows out with --good-rows.'
        : ' Correct these pets.'
      : ' Try again.';
  const what =
    state === 'invalid'
      ? `${count(faultCount, 'row')} of the import cannot be undone`
      : `Import ${id} is ${state}`;
  return new OperatorError([`${what}; nothing was changed.${remedy}`, ...lines].join('\n'));
}
