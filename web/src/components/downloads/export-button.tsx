import { Button } from '@mantine/core';
import { IconDownload } from '../../icons/icons.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { csvOf, type FileColumns } from './csv.ts';
import type { ExportedCount } from './read-all.ts';
import { useExport } from './use-export.ts';

interface Props<T> {
  /** The name of the file, without its date. */
  readonly name: string;
  readonly columns: FileColumns<T>;
  /** Passes on the records that the filters of the list show, also those that are not on the page yet. */
  readonly read: (
    use: (records: readonly T[]) => void,
    onProgress: (count: number) => void,
  ) => Promise<ExportedCount>;
}

/** Writes a list as its filters show it into a file for spreadsheets. */
export function ExportButton<T>({ name, columns, read }: Props<T>) {
  const { files } = useTexts().app;
  const format = useFormat();
  const file = useExport();
  const save = () =>
    file.run(name, 'csv', async (onProgress) => {
      const records: T[] = [];
      const add = (some: readonly T[]) => {
        for (const record of some) records.push(record);
      };
      const result = await read(add, onProgress);
      // A row of the file may be a part of a record.
      return {
        ...result,
        count: records.length,
        content: new Blob([csvOf(columns, records)], { type: 'text/csv;charset=utf-8' }),
      };
    });
  return (
    <Button
      variant="default"
      data-compact
      leftSection={<IconDownload size={16} stroke={1.75} />}
      disabled={file.read !== undefined}
      onClick={() => void save()}
    >
      {file.read === undefined ? files.export : files.reading(format.quantity(file.read))}
    </Button>
  );
}
