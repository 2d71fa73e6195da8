import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ManagedPet, StocktakeLine } from '../../api/schemas.ts';
import { Change, Quantity } from '../../components/quantity.tsx';
import { RecordsState } from '../../components/records/records-state.tsx';
import { RecordsTable } from '../../components/records/records-table.tsx';
import type { Column } from '../../components/records/table.tsx';
import type { Records } from '../../components/records/use-records.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { IconCircleCheck, IconScan } from '../../icons/icons.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './stocktakes.module.css';
import { useLines, useUncounted } from './stocktakes-api.ts';

interface Props {
  readonly stocktakeId: string;
  readonly mayCount: boolean;
}

/** The pets that were counted, or those of them with a difference. */
export function CountedPets(props: Props & { readonly differs: boolean; readonly isEmpty: boolean }) {
  const { stocktakeId, mayCount, differs, isEmpty } = props;
  const { stocktakes } = useTexts();
  return (
    <PetTable
      label={differs ? stocktakes.differences : stocktakes.counted}
      columns={useColumns(stocktakeId, mayCount)}
      list={useLines(stocktakeId, differs)}
      empty={
        isEmpty || !differs ? (
          <EmptyState icon={IconScan} title={stocktakes.nothingCounted}>
            {mayCount && stocktakes.nothingCountedHint}
          </EmptyState>
        ) : (
          <EmptyState icon={IconCircleCheck} title={stocktakes.noDifferences}>
            {stocktakes.noDifferencesHint}
          </EmptyState>
        )
      }
    />
  );
}

function useColumns(stocktakeId: string, mayCount: boolean): readonly Column<StocktakeLine>[] {
  const { stocktakes, shared, app } = useTexts();
  const { lines } = stocktakes;
  const format = useFormat();
  const nameOf = ({ name, petId }: StocktakeLine) => name ?? shared.unnamed(petId);
  const labelOf = (line: StocktakeLine) => stocktakes.recountPet(nameOf(line));
  return [
    { name: lines.pet, cell: (line) => <bdi>{nameOf(line)}</bdi> },
    { name: lines.category, from: 'desktop', cell: ({ category }) => category ?? app.records.empty },
    {
      name: lines.expected,
      isNumber: true,
      from: 'tablet',
      cell: ({ expected }) => <Quantity value={expected} />,
    },
    { name: lines.counted, isNumber: true, cell: ({ counted }) => <Quantity value={counted} /> },
    { name: lines.variance, isNumber: true, cell: ({ variance }) => <Change value={variance} /> },
    {
      name: lines.counts,
      isNumber: true,
      from: 'desktop',
      cell: ({ counts }) => format.quantity(counts),
    },
    { name: lines.by, from: 'tablet', cell: ({ countedBy }) => countedBy.name },
    { name: lines.at, from: 'tablet', cell: ({ countedAt }) => <RelativeTime at={countedAt} /> },
    ...(mayCount ? [countColumn(lines.action, { stocktakeId, labelOf, text: stocktakes.recount })] : []),
  ];
}

/** The pets of the scope that were not counted. */
export function UncountedPets({ stocktakeId, mayCount }: Props) {
  const { stocktakes, shared, app } = useTexts();
  const { lines } = stocktakes;
  const nameOf = ({ name, petId }: ManagedPet) => name ?? shared.unnamed(petId);
  const labelOf = (pet: ManagedPet) => stocktakes.countPet(nameOf(pet));
  const columns: readonly Column<ManagedPet>[] = [
    { name: lines.pet, cell: (pet) => <bdi>{nameOf(pet)}</bdi> },
    { name: lines.category, from: 'tablet', cell: ({ category }) => category ?? app.records.empty },
    { name: lines.quantity, isNumber: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
    ...(mayCount ? [countColumn(lines.action, { stocktakeId, labelOf, text: stocktakes.count })] : []),
  ];
  return (
    <PetTable
      label={stocktakes.uncounted}
      columns={columns}
      list={useUncounted(stocktakeId)}
      empty={
        <EmptyState icon={IconCircleCheck} title={stocktakes.allCounted}>
          {stocktakes.allCountedHint}
        </EmptyState>
      }
    />
  );
}

interface TableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly list: Records<T>;
  readonly empty: ReactNode;
}

function PetTable<T extends { readonly petId: string }>({ label, columns, list, empty }: TableProps<T>) {
  const { records, error, retry, more } = list;
  return (
    <RecordsState
      isLoading={records === undefined}
      error={error}
      onRetry={retry}
      empty={records?.length === 0 && empty}
    >
      <RecordsTable
        label={label}
        columns={columns}
        records={records ?? []}
        keyOf={({ petId }) => petId}
        hrefOf={({ petId }) => `/pets/${petId}`}
        onMore={more}
      />
    </RecordsState>
  );
}

interface CountLinks<T> {
  readonly stocktakeId: string;
  readonly labelOf: (record: T) => string;
  readonly text: string;
}

/** A link in each row that counts its pet. */
function countColumn<T extends { readonly petId: string }>(
  name: string,
  { stocktakeId, labelOf, text }: CountLinks<T>,
): Column<T> {
  return {
    name,
    isNumber: true,
    isActions: true,
    cell: (record) => (
      <Button
        component={Link}
        href={`/count?stocktake=${stocktakeId}&petId=${record.petId}`}
        variant="default"
        size="compact-md"
        aria-label={labelOf(record)}
        className={styles.countLink}
      >
        <IconScan size={16} stroke={1.75} aria-hidden />
        <span className={styles.countWord}>{text}</span>
      </Button>
    ),
  };
}
