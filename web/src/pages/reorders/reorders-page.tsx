import { Button } from '@mantine/core';
import { MAX_BULK_PETS } from '@petstore-inventory/shared/limits';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Reorder } from '../../api/schemas.ts';
import { serviceNow } from '../../api/service-clock.ts';
import { calendarDay } from '../../components/day-start.ts';
import { OutputMenu } from '../../components/downloads/output-menu.tsx';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { RecordsState } from '../../components/records/records-state.tsx';
import { RecordsTable } from '../../components/records/records-table.tsx';
import { isToOrder } from '../../components/reorder.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { IconCircleCheck, IconFilterOff } from '../../icons/icons.tsx';
import { useMay } from '../../session/session-context.tsx';
import { useKeptState } from '../../stock/stock-provider.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { RunningChanges } from '../../bulk/running-changes.tsx';
import { ChosenPetsBar } from './chosen-pets-bar.tsx';
import { PrintedOrders } from './printed-orders.tsx';
import { ReorderDialog, type Work } from './reorder-dialog.tsx';
import { ReorderFilters, useReorderAddress } from './reorder-filters.tsx';
import styles from './reorders.module.css';
import { readFile, readRows, useReorders } from './reorders-api.ts';
import { useChosenPets } from './use-chosen-pets.ts';
import { useReorderColumns } from './use-reorder-columns.tsx';

/** What is low, by urgency, and what is ordered of it. */
export default function ReordersPage() {
  const { app, reorders } = useTexts();
  const format = useFormat();
  const mayOrder = useMay('staff');
  const address = useReorderAddress();
  const { filters } = address;
  const [choosesAll, setChoosesAll] = useState(false);
  const { records, error, retry, more, isWhole, readAll, reload } = useReorders(filters);
  const rows = records ?? [];
  const { selected, chosen, select, selectOnly } = useChosenPets(rows);
  // The rest of a long list is read first. A change has at most so many pets.
  const chooseRead = useEffectEvent(() => {
    setChoosesAll(false);
    selectOnly(petIdsOf(rows).slice(0, MAX_BULK_PETS));
  });
  useEffect(() => {
    if (choosesAll && isWhole) chooseRead();
  }, [choosesAll, isWhole]);
  const [typed, setTyped] = useKeptState<Readonly<Record<string, string>>>('reorders-typed', {});
  const [work, setWork] = useState<Work>();
  const [printed, setPrinted] = useState<readonly Reorder[]>();

  const unitsOf = (row: Reorder) => typed[row.petId] ?? String(row.suggested);
  const toOrder = rows.reduce((sum, row) => sum + BigInt(isToOrder(row) ? row.suggested : 0), 0n);
  const columns = useReorderColumns({
    mayOrder,
    rows,
    unitsOf,
    onType: (petId, text) => setTyped((before) => ({ ...before, [petId]: text })),
    selected,
    onSelect: (petId, isSelected) => select([petId], isSelected),
    onOpen: (row) => setWork({ kind: 'order', rows: [row] }),
    onReceive: (row) => setWork({ kind: 'receive', rows: [row] }),
  });
  const forget = ({ kind, rows: done }: Work) => {
    const petIds = petIdsOf(done);
    select(petIds, false);
    if (kind === 'order')
      setTyped((before) =>
        Object.fromEntries(Object.entries(before).filter(([petId]) => !petIds.includes(petId))),
      );
  };
  return (
    <>
      <PageHeader
        title={app.pages.reorders}
        facts={
          records &&
          reorders.facts(
            format.count(rows.length, !isWhole),
            `${format.quantity(String(toOrder))}${isWhole ? '' : '+'}`,
          )
        }
        actions={
          <OutputMenu<Reorder>
            file={`reorders-${calendarDay(serviceNow(), 0)}`}
            readFile={(fileFormat) => readFile(filters, fileFormat)}
            readRows={() => readRows(filters)}
            onPrint={setPrinted}
            isEmpty={records?.length === 0}
          />
        }
      />
      <RunningChanges />
      <PageBody>
        <ReorderFilters {...address} />
        {mayOrder && rows.length > 0 && (
          <ChosenPetsBar
            rows={rows}
            chosen={chosen}
            onChooseAll={(isChosen) => {
              setChoosesAll(isChosen);
              if (isChosen) readAll();
              else selectOnly([]);
            }}
            isChoosing={choosesAll}
            onWork={setWork}
          />
        )}
        <div className={styles.table} data-printed={printed ? true : undefined}>
          <RecordsState
            isLoading={records === undefined}
            error={error}
            onRetry={retry}
            empty={
              rows.length === 0 && (
                <NoReorders hasFilters={Object.keys(filters).length > 0} onClear={address.clear} />
              )
            }
          >
            <RecordsTable
              label={reorders.table}
              columns={columns}
              records={rows}
              keyOf={({ petId }) => petId}
              onMore={more}
            />
          </RecordsState>
        </div>
        {printed && <PrintedOrders rows={printed} unitsOf={unitsOf} onDone={() => setPrinted(undefined)} />}
      </PageBody>
      {work && (
        <ReorderDialog
          work={work}
          unitsOf={unitsOf}
          onReload={reload}
          onDone={forget}
          onClose={() => setWork(undefined)}
        />
      )}
    </>
  );
}

const petIdsOf = (rows: readonly Reorder[]): readonly string[] => rows.map(({ petId }) => petId);

function NoReorders({ hasFilters, onClear }: { readonly hasFilters: boolean; readonly onClear: () => void }) {
  const { reorders } = useTexts();
  if (!hasFilters)
    return (
      <EmptyState icon={IconCircleCheck} title={reorders.empty}>
        {reorders.emptyHint}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={IconFilterOff}
      title={reorders.noMatch}
      actions={
        <Button variant="default" onClick={onClear}>
          {reorders.clearFilters}
        </Button>
      }
    />
  );
}
