import { Button } from '@mantine/core';
import type { Mapping, PetField } from '@petstore-inventory/shared/pet-file/headings';
import { DECIMALS, type Decimal } from '@petstore-inventory/shared/words';
import { type Column, Table } from '../../../components/records/table.tsx';
import { useFormat, useImportErrorText, useTexts } from '../../../texts/texts-context.tsx';
import styles from './bad-rows.module.css';
import type { MendedRows, RowValues } from './mapped-file.ts';
import type { BadRows as Bad } from './use-upload.ts';

interface Props {
  readonly bad: Bad;
  readonly mapping: Mapping;
  readonly mended: MendedRows;
  readonly onMend: (line: number, values: RowValues) => void;
  readonly onDecimal: (decimal: Decimal) => void;
}

/** The rows that the service would refuse, as the file has them. Each value can be mended here. */
export function BadRows({ bad, mapping, mended, onMend, onDecimal }: Props) {
  const { imports, shared } = useTexts();
  const format = useFormat();
  const problemText = useImportErrorText();
  const fields = mapping.filter((field): field is PetField => field !== null);
  const [ambiguous] = bad.rows.flatMap((row) => row.ambiguous);
  const count = format.count(bad.count);
  const columns: readonly Column<Bad['rows'][number]>[] = [
    { name: imports.line, isHeader: true, isNumber: true, cell: ({ line }) => format.quantity(line) },
    ...fields.map((field) => ({
      name: shared.fields[field],
      cell: ({ line, values, wrong }: Bad['rows'][number]) => (
        <input
          className={styles.input}
          aria-label={imports.bad.cell(shared.fields[field], format.quantity(line))}
          aria-invalid={wrong.includes(field)}
          value={(mended.get(line) ?? values)[field] ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onMend(line, { ...(mended.get(line) ?? values), [field]: value })
          }
        />
      ),
    })),
    {
      name: imports.message,
      className: styles.problem,
      cell: ({ faults }) => faults.map(problemText).join(' '),
    },
  ];
  return (
    <section className={styles.bad} aria-label={imports.bad.title(count)}>
      <p role="alert" className={styles.title}>
        {imports.bad.title(count)}
      </p>
      <p className={styles.hint}>{imports.bad.hint}</p>
      {ambiguous && (
        <fieldset className={styles.question}>
          <legend className={styles.hint}>
            {imports.bad.ambiguous(ambiguous.text, ambiguous.readings[0], ambiguous.readings[1])}
          </legend>
          {DECIMALS.map((decimal) => (
            <Button key={decimal} variant="default" onClick={() => onDecimal(decimal)}>
              {imports.bad.reads(ambiguous.text, ambiguous.readings[decimal === ambiguous.grouping ? 0 : 1])}
            </Button>
          ))}
        </fieldset>
      )}
      <div className={styles.scroll}>
        <Table className={styles.table} columns={columns} records={bad.rows} keyOf={({ line }) => line} />
      </div>
      {bad.count > bad.rows.length && (
        <p className={styles.hint}>{imports.firstErrors(format.quantity(bad.rows.length), String(count))}</p>
      )}
    </section>
  );
}
