import { describeFault } from '@petstore-inventory/shared/pet-file/faults';
import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import { type LimitOptions, moreOf, mostOf, withLimit } from '@petstore-inventory/shared/terminal/list-limit';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { count, thousands } from '@petstore-inventory/shared/terminal/texts';
import { undoChain } from '@petstore-inventory/shared/undo-chain';
import { undoneShare } from '@petstore-inventory/shared/undone-share';
import { type Command, InvalidArgumentError } from 'commander';
import type { AdminStore } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { IMPORT_FAILURES, type Import } from '../../domain/management/imports.ts';
import { importJson } from '../../wire/import-json.ts';
import { addCommand } from '../command.ts';
import { withYes } from '../confirm.ts';
import { type DryRunOption, dryRunOutput, withAcceptClock, withDryRun } from '../options.ts';
import { type Output, paint, shownTable } from '../output.ts';
import { shownTime } from '../parse-time.ts';
import { databaseCommand } from '../with-database.ts';
import { undoImport, type UndoOptions } from './undo-import.ts';

const IMPORT_ID = /^imp_[0-9A-Za-z]{16}$/;

/** Adds the commands for files that a management key sent. */
export function addImports(pets: Command): void {
  const imports = addGroup(pets, 'imports', 'files of pets that were sent to /admin/v1/imports');
  addList(imports);
  addShow(imports);
  addUndo(imports);
  addCancel(imports);
  addDelete(imports);
}

function addList(imports: Command): void {
  withLimit(
    addCommand(imports, 'list', { summary: 'list imports, newest first', example: 'pets imports list' }),
    'imports',
  ).action(
    databaseCommand(async ({ store }, options: LimitOptions) => {
      // One import above the limit shows whether there are more.
      const limit = mostOf(options);
      const found = await store.imports.list({ limit: limit + 1 });
      return describeImports(store, found.slice(0, limit), found.length > limit);
    }),
  );
}

function addShow(imports: Command): void {
  withImportId(
    addCommand(imports, 'show', {
      summary: 'show the state of an import, its progress, its counts and its errors',
      example: 'pets imports show imp_4fQ2n8Zk1bXw0aLr',
    }),
  ).action(
    databaseCommand(async ({ store }, id: string) => describeImport(store, await existing(store, id))),
  );
}

function addUndo(imports: Command): void {
  const undo = addCommand(imports, 'undo', {
    summary: 'undo an applied import',
    notes:
      'Takes back the units that the import added, so that sales since then count, and gives pets their earlier values back\n' +
      'where they have not changed since. Pets that the import added stay, without units. It plans that, asks, and writes all\n' +
      'of it or nothing. Imports are kept for 7 days; the id of the undo is shown, and can be undone itself.',
    example: 'pets imports undo imp_4fQ2n8Zk1bXw0aLr --yes',
  });
  withYes(withAcceptClock(withImportId(undo)))
    .option('--good-rows', 'leave out the rows that cannot be undone')
    .action(
      databaseCommand(async (run, id: string, options: UndoOptions) =>
        describeImport(run.store, await undoImport(run, id, options)),
      ),
    );
}

function addCancel(imports: Command): void {
  withImportId(
    addCommand(imports, 'cancel', {
      summary: 'end an import that is not finished',
      notes: 'Stock does not change. An import whose rows are being written is refused.',
      example: 'pets imports cancel imp_4fQ2n8Zk1bXw0aLr',
    }),
  ).action(
    databaseCommand(async ({ store }, id: string) => {
      const value = importJson(await store.imports.cancel(id, CLI_AUTHOR));
      await purge(store);
      return { value, text: `Import ${id} is cancelled.` };
    }),
  );
}

function addDelete(imports: Command): void {
  const remove = addCommand(imports, 'delete', {
    summary: 'delete an import with its file and its plan',
    notes: 'Stock does not change. An import whose rows are being written is refused.',
    example: 'pets imports delete imp_4fQ2n8Zk1bXw0aLr --dry-run',
  });
  withDryRun(withImportId(remove), 'the import').action(
    databaseCommand(async ({ store }, id: string, { dryRun }: DryRunOption) => {
      const found = await existing(store, id);
      const value = { import: importJson(found) };
      if (dryRun) {
        const { text } = await describeImport(store, found);
        return dryRunOutput(value, `Would be deleted: ${text}`);
      }
      await store.imports.delete(id, CLI_AUTHOR);
      await purge(store);
      return { value, text: `Import ${id} is deleted.` };
    }),
  );
}

/** Deletes files and plans that nothing reads again: the service may be stopped, or notice them only later. */
async function purge({ importJobs }: AdminStore): Promise<void> {
  while (await importJobs.purge());
}

function withImportId(command: Command): Command {
  return command.argument('<id>', 'id of the import', parseImportId);
}

function parseImportId(text: string): string {
  if (IMPORT_ID.test(text)) return text;
  throw new InvalidArgumentError('Give an id such as imp_4fQ2n8Zk1bXw0aLr; pets imports list shows them.');
}

async function existing({ imports }: AdminStore, id: string): Promise<Import> {
  const found = await imports.find(id);
  if (found) return found;
  throw new OperatorError(`There is no import ${id}.`, { code: 'not_found' });
}

const HEADINGS = ['ID', 'STATE', 'NEW', 'CHANGED', 'UNCHANGED', 'ERRORS', 'SENT', 'FILE'];

type FindImport = (id: string) => Promise<Import | undefined>;

/** Reads each import once, and those that are listed not again: each row of a long chain of undos follows the chain. */
function readOnce({ imports }: AdminStore, listed: readonly Import[]): FindImport {
  const found = new Map<string, Import | undefined>(listed.map((one) => [one.id, one]));
  return async (id) => {
    if (!found.has(id)) found.set(id, await imports.find(id));
    return found.get(id);
  };
}

/** The state, or how much of what the import wrote is taken back: its undo may be undone itself. */
async function stateOf({ state, undoneBy }: Import, find: FindImport): Promise<string> {
  const undos: { badRows: number }[] = [];
  let undo: Import | undefined;
  for (const id of undoChain(undoneBy, () => undo?.undoneBy ?? null)) {
    undo = await find(id);
    undos.push({ badRows: undo?.badRowCount ?? 0 });
  }
  return { none: state, part: 'partly undone', all: 'undone' }[undoneShare(undos)];
}

/** What an import is called: by its file, as the undo of that, or as what undoes the undo. */
async function nameOf({ fileName, format, undoes }: Import, find: FindImport): Promise<string> {
  if (undoes === null) return safe(fileName ?? format);
  let verb = 'redo';
  let undone: Import | undefined;
  for (const id of undoChain(undoes, () => undone?.undoes ?? null)) {
    undone = await find(id);
    verb = verb === 'undo' ? 'redo' : 'undo';
  }
  return `${verb} of ${safe(fileName ?? undoes)}`;
}

/** Imports as a table. @param hasMore There are more than are listed. */
async function describeImports(
  store: AdminStore,
  imports: readonly Import[],
  hasMore: boolean,
): Promise<Output> {
  const find = readOnce(store, imports);
  const rows: string[][] = [];
  for (const found of imports) {
    const { id, counts, faultCount, createdAtMs } = found;
    rows.push([
      id,
      paint.state(await stateOf(found, find)),
      thousands(counts.new),
      thousands(counts.changed),
      thousands(counts.unchanged),
      thousands(faultCount),
      shownTime(createdAtMs),
      await nameOf(found, find),
    ]);
  }
  const text = rows.length === 0 ? 'There are no imports.' : shownTable(HEADINGS, rows);
  return { value: imports.map(importJson), text, ...moreOf(hasMore, 'imports') };
}

/** An import with its errors. */
async function describeImport(store: AdminStore, found: Import): Promise<Output> {
  const { id, state, fileName, format, mode, byteCount, readBytes, counts, failure, faults, faultCount } =
    found;
  const { undoes } = found;
  const lines = [
    `${id}: ${paint.state(await stateOf(found, (undo) => store.imports.find(undo)))}`,
    ...(undoes === null
      ? [
          `file       ${safe(fileName ?? 'without a name')}, ${format}, ${count(byteCount, 'byte')}`,
          `quantities ${mode === 'add' ? 'added to' : 'replace'} those of the pets`,
        ]
      : [`undoes     ${undoes}, ${safe(fileName ?? format)}`]),
    `sent       ${shownTime(found.createdAtMs)} by ${found.actor}`,
    `updated    ${shownTime(found.updatedAtMs)}`,
    ...(state === 'checking' && undoes === null ? [`checked    ${percentage(readBytes, byteCount)} %`] : []),
    `pets       ${thousands(counts.new)} new, ${thousands(counts.changed)} changed, ${thousands(counts.unchanged)} unchanged`,
    ...(found.appliedBy === null ? [] : [`applied by ${found.appliedBy}`]),
    ...(found.undoneBy === null ? [] : [`undone by  ${found.undoneBy}`]),
    ...(found.appliedBefore === null ? [] : [`same file  was applied before: ${found.appliedBefore}`]),
    ...(found.facts?.mapping ? [`mapping    ${safe(found.facts.mapping)}`] : []),
    ...(found.doubtfulCount === 0
      ? []
      : [`check      ${count(found.doubtfulCount, 'new pet')} made by a code: check for mistyped codes`]),
    ...(failure === null ? [] : [`failure    ${IMPORT_FAILURES[failure]}`]),
    ...(faultCount === 0 ? [] : [`errors     ${thousands(faultCount)}`]),
    ...faults.map((fault) => `  ${safe(describeFault(fault))}`),
  ];
  const hidden = faultCount - faults.length;
  if (hidden > 0) lines.push(`  … and ${thousands(hidden)} more`);
  return { value: importJson(found), text: lines.join('\n') };
}

function percentage(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((100 * part) / whole);
}
