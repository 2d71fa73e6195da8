import { ScrollArea } from '@mantine/core';
import type { BulkPet, BulkValues } from '../api/schemas.ts';
import { type Column, Table } from '../components/records/table.tsx';
import { useFormat, useTexts } from '../texts/texts-context.tsx';
import styles from './many-dialog.module.css';

const MAX_HEIGHT_PX = 240;

interface Props {
  readonly pets: readonly BulkPet[];
  readonly values: BulkValues;
}

/** The first pets: those that stay as they are with the reason, then those that change. */
export function PlannedPets({ pets, values }: Props) {
  const { stock, shared, reorders } = useTexts();
  const format = useFormat();
  const limits = (low: number | null | undefined, restock: number | null | undefined) =>
    low === null || low === undefined
      ? stock.many.shopDefault
      : restock === null || restock === undefined
        ? format.quantity(low)
        : `${format.quantity(low)} / ${format.quantity(restock)}`;
  const hasCodes = pets.some(({ codes }) => codes !== null);
  const codesText = (facts: Pick<BulkPet, 'codes'>['codes']) =>
    (facts && (values.sku === undefined ? facts.barcodes.join(', ') : facts.sku)) || '–';
  const textOf = (facts: Omit<BulkValues, 'barcodes'>) => {
    if (values.archived !== undefined) return facts.archived ? stock.archived : '–';
    if (values.status) return facts.status ? shared.status[facts.status] : '–';
    if (values.category !== undefined) return facts.category ?? '–';
    if (values.supplier !== undefined) return facts.supplier ?? '–';
    return limits(facts.lowStockAt, facts.restockAt);
  };
  const columns: readonly Column<BulkPet>[] = [
    {
      name: shared.fields.name,
      cell: ({ petId, name, reason, codeOwner }) => (
        <>
          {name ?? shared.unnamed(petId)}
          {reason && (
            <span className={styles.why}>
              {codeOwner === null ? stock.many.reasons[reason] : stock.many.codeInUse(codeOwner)}
            </span>
          )}
        </>
      ),
    },
    // Nothing is ordered of a pet before.
    ...(values.ordered === undefined
      ? [
          {
            name: stock.before,
            cell: ({ before }: BulkPet) => before && (hasCodes ? codesText(before) : textOf(before)),
          },
        ]
      : []),
    {
      name: values.ordered === undefined ? stock.after : reorders.columns.suggested,
      cell: ({ outcome, codes, ordered }) =>
        outcome === 'planned' && (
          <b className={styles.after}>
            {ordered !== null ? format.quantity(ordered) : hasCodes ? codesText(codes) : textOf(values)}
          </b>
        ),
    },
  ];
  return (
    <ScrollArea.Autosize
      mah={MAX_HEIGHT_PX}
      type="auto"
      className={styles.preview}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': stock.preview }}
    >
      <Table
        className={`${styles.table} ${styles.planned}`}
        columns={columns}
        records={pets}
        keyOf={({ petId }) => petId}
        stateOf={({ reason }) => ({ 'data-refused': reason === null ? undefined : true })}
      />
    </ScrollArea.Autosize>
  );
}
