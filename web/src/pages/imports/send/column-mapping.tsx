import { NativeSelect } from '@mantine/core';
import { type Mapping, PET_FIELDS, type PetField } from '@petstore-inventory/shared/pet-file/headings';
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
    <table className={styles.table} aria-label={imports.columns}>
      <thead>
        <tr>
          <th scope="col">{imports.column}</th>
          <th scope="col">{imports.samples}</th>
          <th scope="col">{imports.becomes}</th>
        </tr>
      </thead>
      <tbody>
        {columns.map(({ id, name, column }) => (
          <tr key={id} data-out={mapping[column] === null || undefined}>
            <th scope="row">{name}</th>
            <td className={styles.samples}>
              {csv.samples
                .map((row) => row[column] ?? '')
                .filter((value) => value !== '')
                .join(', ')}
            </td>
            <td>
              <NativeSelect
                aria-label={imports.fieldOf(name)}
                value={mapping[column] ?? ''}
                onChange={(event) => choose(column, event.currentTarget.value)}
                data={fields}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
