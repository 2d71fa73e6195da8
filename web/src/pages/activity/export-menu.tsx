import { Button, Menu } from '@mantine/core';
import { useExport } from '../../components/downloads/use-export.ts';
import type { MovementFilter } from '../../components/movements/use-movement-feed.ts';
import { IconDownload } from '../../icons/icons.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { type ExportFormat, exportMovements } from './export-movements.ts';

/** Writes what the filters show into a file. */
export function ExportMenu({ filter }: { filter: MovementFilter }) {
  const { activity, app } = useTexts();
  const format = useFormat();
  const { read, run } = useExport();
  const save = (fileFormat: ExportFormat) =>
    void run('activity', fileFormat, (onProgress) => exportMovements(filter, fileFormat, onProgress));
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.75} />}
          disabled={read !== undefined}
        >
          {read === undefined ? activity.export : app.files.reading(format.quantity(read))}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save('csv')}>{activity.exportCsv}</Menu.Item>
        <Menu.Item onClick={() => save('ndjson')}>{activity.exportJson}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
