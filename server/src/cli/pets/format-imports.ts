import { describeFault } from '@petstore-inventory/shared/pet-file/faults';
import { coloured } from '@petstore-inventory/shared/terminal/colour';
import { moreOf } from '@petstore-inventory/shared/terminal/list-limit';
import { table } from '@petstore-inventory/shared/terminal/table';
import { thousands } from '@petstore-inventory/shared/terminal/thousands';
import { IMPORT_FAILURES, type Import } from '../../domain/management/imports.ts';
import { importJson } from '../../wire/import-json.ts';
import { readableTime } from '../parse-time.ts';
import { count, type Output } from '../terminal/output.ts';

const HEADINGS = ['ID', 'STATE', 'NEW', 'CHANGED', 'UNCHANGED', 'ERRORS', 'SENT', 'FILE'];

/** Imports as a table. @param hasMore There are more than are listed. */
export function describeImports(imports: readonly Import[], hasMore: boolean): Output {
  const rows = imports.map(({ id, state, counts, faultCount, createdAtMs, fileName, format }) => [
    id,
    coloured(state),
    thousands(counts.new),
    thousands(counts.changed),
    thousands(counts.unchanged),
    thousands(faultCount),
    readableTime(createdAtMs),
    fileName ?? format,
  ]);
  const text = rows.length === 0 ? 'There are no imports.' : table(HEADINGS, rows);
  return { value: imports.map(importJson), text, ...moreOf(hasMore, 'imports') };
}

/** An import with its errors. */
export function describeImport(found: Import): Output {
  const { id, state, fileName, format, mode, byteCount, readBytes, counts, failure, faults, faultCount } =
    found;
  const lines = [
    `${id}: ${coloured(state)}`,
    `file       ${fileName ?? 'without a name'}, ${format}, ${count(byteCount, 'byte')}`,
    `quantities ${mode === 'add' ? 'added to' : 'replace'} those of the pets`,
    `sent       ${readableTime(found.createdAtMs)} by ${found.actor}`,
    `updated    ${readableTime(found.updatedAtMs)}`,
    ...(state === 'checking' ? [`checked    ${percentage(readBytes, byteCount)} %`] : []),
    `pets       ${thousands(counts.new)} new, ${thousands(counts.changed)} changed, ${thousands(counts.unchanged)} unchanged`,
    ...(found.appliedBy === null ? [] : [`applied by ${found.appliedBy}`]),
    ...(failure === null ? [] : [`failure    ${IMPORT_FAILURES[failure]}`]),
    ...(faultCount === 0 ? [] : [`errors     ${thousands(faultCount)}`]),
    ...faults.map((fault) => `  ${describeFault(fault)}`),
  ];
  const hidden = faultCount - faults.length;
  if (hidden > 0) lines.push(`  … and ${thousands(hidden)} more`);
  return { value: importJson(found), text: lines.join('\n') };
}

function percentage(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((100 * part) / whole);
}
