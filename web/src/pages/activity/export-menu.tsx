import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { download } from '../../components/downloads/download.ts';
import type { MovementFilter } from '../../components/movements/use-movement-feed.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { IconDownload } from '../../icons/icons.tsx';
import { useErrorText, useFormat, useTexts } from '../../texts/texts-context.tsx';
import { type ExportFormat, exportMovements } from './export-movements.ts';

/** Writes what the filters show into a file. */
export function ExportMenu({ filter }: { filter: MovementFilter }) {
  const { activity } = useTexts();
  const format = useFormat();
  const { show } = useToast();
  const errorText = useErrorText();
  const [read, setRead] = useState<number>();
  const run = async (fileFormat: ExportFormat) => {
    setRead(0);
    try {
      const { content, count, isPart } = await exportMovements(filter, fileFormat, setRead);
      download(content, `activity-${new Date().toISOString().slice(0, 10)}.${fileFormat}`);
      const shown = format.quantity(count);
      show({ message: isPart ? activity.exportedPart(shown) : activity.exported(shown) });
    } catch (error) {
      show({ message: activity.exportFailed(errorText(error)), isError: true });
    } finally {
      setRead(undefined);
    }
  };
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.75} />}
          disabled={read !== undefined}
        >
          {read === undefined ? activity.export : activity.exporting(format.quantity(read))}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void run('csv')}>{activity.exportCsv}</Menu.Item>
        <Menu.Item onClick={() => void run('ndjson')}>{activity.exportJson}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
