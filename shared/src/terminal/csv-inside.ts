import { safe } from './safe-text.ts';

/** Endings of files whose programs refuse CSV, or read it in one column. */
const OTHER_FORMAT = /\.(?:xlsx|xlsm|xls|ods|tsv|json|ndjson|jsonl|pdf)$/i;

/**
 * Why a file must have another name, which would be written as CSV because its name is that of no format of the command;
 * `undefined` if it may have this one.
 * @param formats The endings of the formats that the command writes.
 */
export function csvInside(file: string, formats: readonly string[]): string | undefined {
  if (!OTHER_FORMAT.test(file)) return undefined;
  const names = formats.map((format) => `.${format}`);
  return `${safe(file)} would have CSV inside; name a ${names.slice(0, -1).join(', ')} or ${names.at(-1)} file, or add --format`;
}
