import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { count, thousands } from '@petstore-inventory/shared/terminal/texts';
import type { Command } from 'commander';
import type { AdminStore } from '../../domain/admin-store.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { type ImportMapping, unknownMapping } from '../../domain/management/import-mappings.ts';
import { importMappingJson } from '../../wire/import-json.ts';
import { addCommand } from '../command.ts';
import { type DryRunOption, dryRunOutput, withDryRun } from '../options.ts';
import { shownTable } from '../output.ts';
import { shownTime } from '../parse-time.ts';
import { databaseCommand } from '../with-database.ts';

/** Adds the commands for remembered mappings of files of pets. */
export function addMappings(pets: Command): void {
  const mappings = addGroup(pets, 'mappings', 'how files of a supplier are read, remembered under a name');
  addCommand(mappings, 'list', { summary: 'list mappings by name', example: 'pets mappings list' }).action(
    databaseCommand(async ({ store }) => {
      const found = await store.importMappings.list();
      const rows = found.map(({ name, columns, updatedAtMs }) => [
        safe(name),
        thousands(columns.length),
        shownTime(updatedAtMs),
      ]);
      const text =
        rows.length === 0 ? 'There are no mappings.' : shownTable(['NAME', 'COLUMNS', 'UPDATED'], rows);
      return { value: found.map(importMappingJson), text };
    }),
  );
  addCommand(mappings, 'show', {
    summary: 'show the columns of a mapping',
    notes: 'With --json it is a file for petstore import --mapping.',
    example: "pets mappings show 'Zoo Wholesale' --json > zoo-wholesale.json",
  })
    .argument('<name>', 'name of the mapping')
    .action(
      databaseCommand(async ({ store }, name: string) => {
        const mapping = await existing(store, name);
        return { value: importMappingJson(mapping), text: describeMapping(mapping) };
      }),
    );
  const remove = addCommand(mappings, 'delete', {
    summary: 'forget a mapping',
    notes: 'Imports that were sent with it stay as they are.',
    example: "pets mappings delete 'Zoo Wholesale'",
  }).argument('<name>', 'name of the mapping');
  withDryRun(remove, 'the mapping').action(
    databaseCommand(async ({ store }, name: string, { dryRun }: DryRunOption) => {
      const mapping = await existing(store, name);
      const value = { mapping: importMappingJson(mapping) };
      if (dryRun) return dryRunOutput(value, `Would be deleted: ${describeMapping(mapping)}`);
      await store.importMappings.delete(mapping.name, CLI_AUTHOR);
      return { value, text: `The mapping ${safe(mapping.name)} is deleted.` };
    }),
  );
}

async function existing({ importMappings }: AdminStore, name: string): Promise<ImportMapping> {
  const found = await importMappings.find(name);
  if (found) return found;
  throw unknownMapping(name);
}

function describeMapping({ name, columns, decimal, encoding, sheet, ...last }: ImportMapping): string {
  return [
    `${safe(name)}: ${count(columns.length, 'column')}, written ${shownTime(last.updatedAtMs)} by ${last.updatedBy}`,
    ...columns.map(({ heading, field }) => `  ${safe(heading) || '(no heading)'} -> ${field ?? 'left out'}`),
    ...(decimal === null ? [] : [`decimal    ${decimal}`]),
    ...(encoding === null ? [] : [`encoding   ${encoding}`]),
    ...(sheet === null ? [] : [`sheet      ${safe(sheet)}`]),
  ].join('\n');
}
