import { NativeSelect } from '@mantine/core';
import { type Mapping, PET_FIELDS, type PetField } from '@petstore-inventory/shared/pet-file/headings';
import { Table } from '../../../components/records/table.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import styles from './column-mapping.module.css';
import type { CsvHead } from './file-head.ts';

interface Props {
  readonly csv: CsvHead;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}

/** Each column of the file with its first values, and the field that it becomes. */
export function ColumnMapping({ csv, mapping, onChange }: Props) {
  const { imports, shared } = useTexts();
  const fields = [
    { value: '', label: imports.leaveOut },
    ...PET_FIELDS.map((value) => ({ value, label: shared.fields[value] })),
  ];
  // Two columns may have the same header.
  const columns = csv.headers.map((header, column) => ({
    id: `${column} ${header}`,
    name: header.trim() === '' ? imports.columnNumber(String(column + 1)) : header,
    column,
  }));
  const choose = (column: number, value: string) =>
    onChange(mapping.with(column, value === '' ? null : (value as PetField)));
  return (
    <Table
      label={imports.columns}
      className={styles.table}
      records={columns}
      keyOf={({ id }) => id}
      stateOf={({ column }) => ({ 'data-out': mapping[column] === null || undefined })}
      columns={[
        { name: imports.column, isHeader: true, cell: ({ name }) => name },
        {
          name: imports.samples,
          className: styles.samples,
          cell: ({ column }) =>
            csv.samples
              .map((row) => row[column] ?? '')
              .filter((value) => value !== '')
              .join(', '),
        },
        {
          name: imports.becomes,
          cell: ({ name, column }) => (
            <NativeSelect
              aria-label={imports.fieldOf(name)}
              value={mapping[column] ?? ''}
              onChange={(event) => choose(column, event.currentTarget.value)}
              data={fields}
            />
          ),
        },
      ]}
    />
  );
}
