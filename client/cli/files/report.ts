import { basename, dirname, extname, join } from 'node:path';
import { spreadsheetField } from '@petstore-inventory/shared/pet-file/csv-records';
import { STANDARD_INPUT, shownFile } from '@petstore-inventory/shared/pet-file/shown-file';
import type { Paint } from '@petstore-inventory/shared/terminal/paint';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { table } from '@petstore-inventory/shared/terminal/table';
import { count, thousands } from '@petstore-inventory/shared/terminal/texts';
import type { Plan, PlannedChange, RefusedRow } from './plan.ts';
import { FAULT_COLUMNS } from './rows.ts';
import { writeWholeFile } from './whole-file.ts';

const MAX_SHOWN = 20;

/** What a file would change, before and after. */
export function describePlan(file: string, { changes, refused, unchanged }: Plan, paint: Paint): string {
  const rows = changes
    .slice(0, MAX_SHOWN)
    .map(({ petId, before, quantityAfter, statusAfter }) => [
      `${petId}`,
      thousands(before.quantity),
      quantityAfter === undefined ? '' : paint.style('bold', thousands(quantityAfter)),
      quantityAfter === undefined ? '' : paint.delta(quantityAfter - before.quantity),
      statusAfter === undefined ? '' : `${safe(before.status)} -> ${paint.state(statusAfter)}`,
    ]);
  const total = changes.length + refused.length + unchanged;
  return [
    `${count(total, 'pet')} in ${safe(shownFile(file))}: ${thousands(changes.length)} to change, ${thousands(unchanged)} unchanged, ${thousands(refused.length)} refused.`,
    ...(rows.length === 0 ? [] : ['', table(['PET', 'NOW', 'THEN', 'CHANGE', 'STATUS'], rows, paint)]),
    ...more(changes.length),
    ...(refused.length === 0 ? [] : ['', describeRefused(refused, paint)]),
  ].join('\n');
}

/** Refused rows with their reasons. */
export function describeRefused(refused: readonly RefusedRow[], paint: Paint): string {
  const rows = refused
    .slice(0, MAX_SHOWN)
    .map(({ petId, code, message }) => [`${petId}`, paint.style('red', safe(code)), safe(message)]);
  return [table(['PET', 'REFUSED', 'REASON'], rows, paint), ...more(refused.length)].join('\n');
}

function more(length: number): string[] {
  return length > MAX_SHOWN ? [`… and ${thousands(length - MAX_SHOWN)} more`] : [];
}

/** The plan in JSON. */
export function planJson({ changes, refused, unchanged }: Plan): object {
  return { changed: changes.length, unchanged, refused, changes: changes.map(changeJson) };
}

function changeJson({ petId, before, quantityAfter, statusAfter }: PlannedChange): object {
  const { quantity, status } = before;
  return {
    petId,
    before: { quantity, status },
    after: { quantity: quantityAfter ?? quantity, status: statusAfter ?? status },
  };
}

/** `stock.failed.csv` for `stock.csv`. Of standard input, a name that no program takes for an option. */
export function refusedFileOf(file: string): string {
  if (file === STANDARD_INPUT) return 'stdin.failed.csv';
  return join(dirname(file), `${basename(file, extname(file))}.failed.csv`);
}

/** Writes the refused rows with their reasons; import reads the file again. */
export function writeRefused(file: string, refused: readonly RefusedRow[]): void {
  const header = ['petId', 'quantity', 'status', ...FAULT_COLUMNS].join();
  const lines = refused.map(({ petId, quantity, status, code, message }) =>
    [petId, quantity, status ?? '', spreadsheetField(code), spreadsheetField(safe(message))].join(),
  );
  writeWholeFile(file, [`${[header, ...lines].join('\r\n')}\r\n`]);
}
