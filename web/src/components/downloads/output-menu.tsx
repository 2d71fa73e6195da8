import { Button, Menu } from '@mantine/core';
import { REPORT_FORMATS, type ReportFormat } from '@petstore-inventory/shared/words';
import { useState } from 'react';
import { download } from '../../components/downloads/download.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { IconDownload } from '../../icons/icons.tsx';
import { useErrorText, useFormat, useTexts } from '../../texts/texts-context.tsx';
import { MAX_PRINTED, type ReportName, type ReportQuery, readFile, readWhole } from './reports-api.ts';

interface Props<Row> {
  readonly name: ReportName;
  readonly query: ReportQuery;
  readonly fileDay: string;
  readonly onPrint: (rows: readonly Row[]) => void;
}

/** The whole report as a file, or on paper. */
export function OutputMenu<Row>({ name, query, fileDay, onPrint }: Props<Row>) {
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
    const file = `${name}-${fileDay}.${fileFormat}`;
    download(await readFile(name, query, fileFormat), file);
    show({ message: reports.saved(file) });
  };
  const print = async () => {
    const rows = await readWhole<Row>(name, query);
    if (rows) onPrint(rows);
    else show({ message: reports.tooLong(format.quantity(MAX_PRINTED)), isError: true });
  };
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} stroke={1.75} />} loading={isReading}>
          {reports.output}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {REPORT_FORMATS.map((fileFormat) => (
          <Menu.Item key={fileFormat} onClick={() => void run(() => save(fileFormat))}>
            {reports.formats[fileFormat]}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => void run(print)}>{reports.print}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
