import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { ManagedPet, StocktakeLine } from '../../api/schemas.ts';
import { Change, Quantity } from '../../components/quantity.tsx';
import { RecordsState } from '../../components/records/records-state.tsx';
import { RecordsTable } from '../../components/records/records-table.tsx';
import type { Column } from '../../components/records/table.tsx';
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
  const { records, error, retry, more } = useLines(stocktakeId, differs);
  const columns = useColumns(stocktakeId, mayCount);
  return (
    <RecordsState
      isLoading={records === undefined}
      error={error}
      onRetry={retry}
      empty={
        records?.length === 0 &&
        (isEmpty || !differs ? (
          <EmptyState icon={IconScan} title={stocktakes.nothingCounted}>
            {mayCount && stocktakes.nothingCountedHint}
          </EmptyState>
        ) : (
          <EmptyState icon={IconCircleCheck} title={stocktakes.noDifferences}>
            {stocktakes.noDifferencesHint}
          </EmptyState>
        ))
      }
    >
      <RecordsTable
        label={differs ? stocktakes.differences : stocktakes.counted}
        columns={columns}
        records={records ?? []}
        keyOf={({ petId }) => petId}
        hrefOf={({ petId }) => `/pets/${petId}`}
        onMore={more}
      />
    </RecordsState>
  );
}

function useColumns(stocktakeId: string, mayCount: boolean): readonly Column<StocktakeLine>[] {
  const { stocktakes, shared, app } = useTexts();
  const { lines } = stocktakes;
  const format = useFormat();
  const nameOf = ({ name, petId }: StocktakeLine) => name ?? shared.unnamed(petId);
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
    ...(mayCount
      ? [
          {
            name: lines.action,
            isNumber: true,
            isActions: true,
            cell: (line: StocktakeLine) => (
              <CountLink
                href={countPath(stocktakeId, line.petId)}
                label={stocktakes.recountPet(nameOf(line))}
                text={stocktakes.recount}
              />
            ),
          },
        ]
      : []),
  ];
}

/** The pets of the scope that were not counted. */
export function UncountedPets({ stocktakeId, mayCount }: Props) {
  const { stocktakes, shared, app } = useTexts();
  const { lines } = stocktakes;
  const { records, error, retry, more } = useUncounted(stocktakeId);
  const nameOf = ({ name, petId }: ManagedPet) => name ?? shared.unnamed(petId);
  const columns: readonly Column<ManagedPet>[] = [
    { name: lines.pet, cell: (pet) => <bdi>{nameOf(pet)}</bdi> },
    { name: lines.category, from: 'tablet', cell: ({ category }) => category ?? app.records.empty },
    { name: lines.quantity, isNumber: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
    ...(mayCount
      ? [
          {
            name: lines.action,
            isNumber: true,
            isActions: true,
            cell: (pet: ManagedPet) => (
              <CountLink
                href={countPath(stocktakeId, pet.petId)}
                label={stocktakes.countPet(nameOf(pet))}
                text={stocktakes.count}
              />
            ),
          },
        ]
      : []),
  ];
  return (
    <RecordsState
      isLoading={records === undefined}
      error={error}
      onRetry={retry}
      empty={
        records?.length === 0 && (
          <EmptyState icon={IconCircleCheck} title={stocktakes.allCounted}>
            {stocktakes.allCountedHint}
          </EmptyState>
        )
      }
    >
      <RecordsTable
        label={stocktakes.uncounted}
        columns={columns}
        records={records ?? []}
        keyOf={({ petId }) => petId}
        hrefOf={({ petId }) => `/pets/${petId}`}
        onMore={more}
      />
    </RecordsState>
  );
}

const countPath = (stocktakeId: string, petId: string): string =>
  `/count?stocktake=${stocktakeId}&petId=${petId}`;

function CountLink({ href, label, text }: { href: string; label: string; text: string }) {
  return (
    <Button
      component={Link}
      href={href}
      variant="default"
      size="compact-md"
      aria-label={label}
      className={styles.countLink}
    >
      <IconScan size={16} stroke={1.75} aria-hidden />
      <span className={styles.countWord}>{text}</span>
    </Button>
  );
}
