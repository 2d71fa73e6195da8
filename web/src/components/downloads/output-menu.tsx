import { Menu } from '@mantine/core';
import { REPORT_FORMATS, type ReportFormat } from '@petstore-inventory/shared/words';
import { useState } from 'react';
import { useErrorText, useFormat, useTexts } from '../../texts/texts-context.tsx';
import { MAX_PRINTED } from '../records/use-printing.ts';
import { useToast } from '../toast/toast-provider.tsx';
import { download } from './download.ts';
import { PrintAndExport } from './print-and-export.tsx';

interface Props<Row> {
  /** The name of the file, without its ending. */
  readonly file: string;
  /** @throws ApiError */
  readonly readFile: (format: ReportFormat) => Promise<Blob>;
  /** All rows; `undefined` for more than `MAX_PRINTED`. @throws ApiError */
  readonly readRows: () => Promise<readonly Row[] | undefined>;
  readonly onPrint: (rows: readonly Row[]) => void;
  /** Whether the list has no row to write. */
  readonly isEmpty: boolean;
}

/** A whole list as a file that the service writes, or on paper. */
export function OutputMenu<Row>({ file: name, readFile, readRows, onPrint, isEmpty }: Props<Row>) {
  const { reports } = useTexts();
  const format = useFormat();
  const errorText = useErrorText();
  const { show } = useToast();
  const [isReading, setReading] = useState(false);
  const run = async (work: () => Promise<void>) => {
    setReading(true);
    try {
      await work();
    } catch (error) {
      show({ message: reports.failed(errorText(error)), isError: true });
    } finally {
      setReading(false);
    }
  };
  const save = async (fileFormat: ReportFormat) => {
    const file = `${name}.${fileFormat}`;
    download(await readFile(fileFormat), file);
    show({ message: reports.saved(file) });
  };
  const print = async () => {
    const rows = await readRows();
    if (rows) onPrint(rows);
    else show({ message: reports.tooLong(format.quantity(MAX_PRINTED)), isError: true });
  };
  return (
    <PrintAndExport
      print={reports.print}
      onPrint={() => void run(print)}
      output={reports.output}
      isDisabled={isEmpty}
      isLoading={isReading}
    >
      {REPORT_FORMATS.map((fileFormat) => (
        <Menu.Item key={fileFormat} onClick={() => void run(() => save(fileFormat))}>
          {reports.formats[fileFormat]}
        </Menu.Item>
      ))}
    </PrintAndExport>
  );
}
