import { readPetFile, shownFile } from '@petstore-inventory/shared/pet-file/read';
import type { Progress } from '@petstore-inventory/shared/terminal/progress';
import { thousands } from '@petstore-inventory/shared/terminal/thousands';
import type { ImportFormat, ImportMode } from '@petstore-inventory/shared/words';
import type { Config } from '../../config.ts';
import type { AdminStore } from '../../domain/admin-store.ts';
import type { PlacedRow } from '../../domain/import-jobs.ts';
import type { ImportRow, PetValues } from '../../domain/management/imports.ts';
import { dryRunOutput } from '../dry-run.ts';
import { count, type Output } from '../terminal/output.ts';
import { serviceSettings, withDatabase } from '../with-database.ts';

const ROWS_PER_BATCH = 2_000;
const MAX_SHOWN = 10;

/** Compares a file of pets with the stock. Returns the counts and the first differences. */
export async function planPetFile(
  config: Config,
  file: string,
  { mode, format }: { readonly mode: ImportMode; readonly format?: ImportFormat | undefined },
  progress: Progress,
): Promise<Output> {
  progress.show(`Reading ${shownFile(file)}`);
  const { maxQuantity } = await serviceSettings(config);
  const rows = readPetFile(file, { maxQuantity, mode, format }).map(
    (row, index): PlacedRow => ({ row, line: index, element: null }),
  );
  const shown: ImportRow[] = [];
  const counts = { created: 0, changed: 0 };
  const compare = async ({ importJobs }: AdminStore) => {
    for (let start = 0; start < rows.length; start += ROWS_PER_BATCH) {
      progress.report('Comparing pets', start, rows.length);
      const differing = await importJobs.compare(rows.slice(start, start + ROWS_PER_BATCH), {
        mode,
        maxQuantity,
      });
      for (const row of differing) {
        counts[row.effect === 'new' ? 'created' : 'changed'] += 1;
        if (shown.length < MAX_SHOWN) shown.push(row);
      }
    }
  };
  await withDatabase(config, compare, { sample: 'refuse' });
  const unchanged = rows.length - counts.created - counts.changed;
  const hidden = counts.created + counts.changed - shown.length;
  return dryRunOutput(
    { ...counts, unchanged, differences: shown.map(differenceJson) },
    [
      `${count(rows.length, 'pet')} in ${shownFile(file)}: ${thousands(counts.created)} new, ${thousands(counts.changed)} to change, ${thousands(unchanged)} unchanged.`,
      ...shown.map(describe),
      ...(hidden > 0 ? [`  … and ${thousands(hidden)} more`] : []),
    ].join('\n'),
  );
}

function differenceJson({ petId, effect, before, after }: ImportRow): object {
  return { petId, effect, before, after };
}

function describe({ petId, before, after }: ImportRow): string {
  const fields = Object.keys(after ?? {}) as (keyof PetValues)[];
  const changes = fields
    .filter((field) => after?.[field] !== (before?.[field] ?? null))
    .map((field) =>
      before === null
        ? `${field} ${shown(after?.[field])}`
        : `${field} ${shown(before[field])} -> ${shown(after?.[field])}`,
    );
  return `  ${before === null ? 'new' : 'changed'} pet ${petId}: ${changes.join(', ')}`;
}

function shown(value: PetValues[keyof PetValues] | undefined): string {
  return value === null || value === undefined ? 'none' : JSON.stringify(value);
}
