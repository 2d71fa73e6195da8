import { Button, Checkbox, SegmentedControl } from '@mantine/core';
import { EXPORT_COLUMNS, EXPORT_FORMATS } from '@petstore-inventory/shared/words';
import { useState } from 'react';
import { API_BASE } from '../../../api/client.ts';
import { IconDownload } from '../../../icons/icons.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import styles from './export-panel.module.css';

type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Downloads all pets. The browser writes the file as it arrives, however large it is. */
export function ExportPanel() {
  const { imports } = useTexts();
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [isAll, setAll] = useState(false);
  const [hasCodes, setCodes] = useState(false);
  const query = new URLSearchParams({
    format,
    ...(isAll && { archived: 'include' }),
    ...(hasCodes && { columns: EXPORT_COLUMNS.join() }),
  });
  return (
    <section className={styles.panel} aria-labelledby="export-title">
      <div>
        <h2 id="export-title" className={styles.title}>
          {imports.export}
        </h2>
        <p className={styles.hint}>{imports.exportHint}</p>
      </div>
      <SegmentedControl
        aria-label={imports.format}
        value={format}
        onChange={(next) => setFormat(next as ExportFormat)}
        data={EXPORT_FORMATS.map((value) => ({ value, label: value.toUpperCase() }))}
        fullWidth
      />
      <Checkbox
        label={imports.withArchived}
        checked={isAll}
        onChange={(event) => setAll(event.currentTarget.checked)}
      />
      <Checkbox
        label={imports.withCodes}
        checked={hasCodes}
        onChange={(event) => setCodes(event.currentTarget.checked)}
      />
      <Button
        component="a"
        href={`${API_BASE}/pets/export?${query}`}
        download={`pets.${format}`}
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.75} />}
      >
        {imports.download}
      </Button>
    </section>
  );
}
