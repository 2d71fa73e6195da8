import { Button, Group } from '@mantine/core';
import type { Import, ImportError } from '../../../api/schemas.ts';
import { download } from '../../../components/downloads/download.ts';
import { RecordsTable } from '../../../components/records/records-table.tsx';
import type { Column } from '../../../components/records/table.tsx';
import { IconDownload } from '../../../icons/icons.tsx';
import { badRowsAddress } from '../imports-api.ts';
import { useFormat, useImportErrorText, useTexts } from '../../../texts/texts-context.tsx';
import styles from './error-list.module.css';
import { errorsCsv } from './errors-csv.ts';

/** The rows that are wrong, or that changed after the plan; also as a file. */
export function ErrorList({ found }: { found: Import }) {
  const { app, imports } = useTexts();
  const formats = useFormat();
  const textOf = useImportErrorText();
  const { id, badRows, errors, errorCount, state, undoes } = found;
  const hasElements = errors.some(({ element }) => element !== null);
  const columns: readonly Column<ImportError>[] = [
    {
      name: imports.line,
      cell: ({ line }) => (line === null ? imports.wholeFile : formats.quantity(line)),
    },
    ...(hasElements
      ? [
          {
            name: imports.element,
            from: 'tablet' as const,
            cell: ({ element }: ImportError) =>
              element === null ? app.records.empty : formats.quantity(element),
          },
        ]
      : []),
    {
      name: imports.field,
      cell: ({ field }) => <span className={styles.field}>{field ?? app.records.empty}</span>,
    },
    { name: imports.message, cell: textOf },
    {
      name: imports.content,
      from: 'tablet',
      cell: ({ row }) => <span className={styles.content}>{row ?? app.records.empty}</span>,
    },
  ];
  return (
    <section className={styles.list} aria-label={imports.problems}>
      <div className={styles.head}>
        <span className={styles.count}>
          {errorCount > errors.length
            ? imports.firstErrors(formats.quantity(errors.length), formats.quantity(errorCount))
            : state === 'stale'
              ? imports.staleRows
              : undoes === null
                ? imports.correct
                : imports.undo.correct}
        </span>
        <Group gap={8}>
          {badRows > 0 && undoes === null && (
            <Button
              component="a"
              href={badRowsAddress(id)}
              download
              variant="default"
              leftSection={<IconDownload size={16} stroke={1.75} />}
            >
              {imports.badRowsFile(formats.count(badRows))}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.75} />}
            onClick={() => downloadErrors(found, textOf)}
          >
            {imports.errorsFile}
          </Button>
        </Group>
      </div>
      <RecordsTable
        label={imports.problems}
        columns={columns}
        records={errors}
        keyOf={({ line, element, field, code, values }) =>
          [line, element, field, code, ...Object.values(values)].join(' ')
        }
      />
    </section>
  );
}

function downloadErrors({ fileName, id, errors }: Import, textOf: (error: ImportError) => string): void {
  const content = new Blob([errorsCsv(errors, textOf)], { type: 'text/csv' });
  download(content, `${(fileName ?? id).replace(/\.\w+$/, '')}-errors.csv`);
}
