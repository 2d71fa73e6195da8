import { SegmentedControl, Select } from '@mantine/core';
import { STOCKTAKE_STATES } from '@petstore-inventory/shared/words';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Stocktake } from '../../api/schemas.ts';
import { useOfferedCommands } from '../../components/commands.ts';
import { useIsPhone } from '../../components/density.ts';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { includesWords, RecordsList } from '../../components/records/records-list.tsx';
import type { Column } from '../../components/records/table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useStocktakes } from '../../components/stocktakes/use-stocktakes.ts';
import { IconClipboardList } from '../../icons/icons.tsx';
import { RoleButton } from '../../session/role-button.tsx';
import { useMay } from '../../session/session-context.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { StartDialog } from './start-dialog.tsx';
import { StocktakeBadge, scopeText } from './stocktake-facts.tsx';
import styles from './stocktakes.module.css';
import { useProgress } from './stocktakes-api.ts';

/** Rows whose progress is read: each is one of the 60 costly requests per minute. */
const MAX_PROGRESS = 10;

type Shown = 'all' | (typeof STOCKTAKE_STATES)[number];

/** All stock-takes, the newest first. */
export function StocktakesList() {
  const texts = useTexts();
  const { app, stocktakes } = texts;
  const format = useFormat();
  const list = useStocktakes();
  const [search, setSearch] = useSearchParams();
  const shown: Shown = STOCKTAKE_STATES.find((state) => state === search.get('state')) ?? 'all';
  const [isStarting, setStarting] = useState(false);
  const mayStart = useMay('administrator');
  const start = () => setStarting(true);
  useOfferedCommands(mayStart ? [{ label: stocktakes.start, run: start }] : []);
  const running = list.records?.filter(({ state }) => state === 'running').length;
  const columns = useColumns();
  return (
    <>
      <PageHeader
        title={app.pages.stocktakes}
        facts={running !== undefined && stocktakes.facts(format.count(running))}
        actions={
          <RoleButton needs="administrator" onClick={start}>
            {stocktakes.start}
          </RoleButton>
        }
      />
      <PageBody>
        <RecordsList
          list={list}
          label={stocktakes.table}
          columns={columns}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/stocktakes/${id}`}
          empty={{ icon: IconClipboardList, title: stocktakes.empty, children: stocktakes.emptyHint }}
          search={{
            label: stocktakes.search,
            matches: ({ name, id, scope, startedBy }, words) =>
              includesWords(words, name, id, scopeText(scope, texts), startedBy.name),
          }}
          filters={
            <StateFilter
              shown={shown}
              onChange={(next) => setSearch((before) => withState(before, next), { replace: true })}
            />
          }
          isShown={({ state }) => shown === 'all' || state === shown}
          filtered={{ icon: IconClipboardList, title: stocktakes.noneInState }}
        />
      </PageBody>
      {isStarting && <StartDialog onClose={() => setStarting(false)} />}
    </>
  );
}

function StateFilter({ shown, onChange }: { shown: Shown; onChange: (next: Shown) => void }) {
  const { stocktakes } = useTexts();
  const data = [
    { value: 'all', label: stocktakes.all },
    ...STOCKTAKE_STATES.map((state) => ({ value: state, label: stocktakes.state[state] })),
  ];
  const field = { 'aria-label': stocktakes.columns.state, value: shown, data };
  const choose = (next: string | null) => onChange((next ?? 'all') as Shown);
  // A phone has no room for all states side by side.
  if (useIsPhone()) return <Select {...field} allowDeselect={false} onChange={choose} />;
  return <SegmentedControl {...field} onChange={choose} />;
}

function withState(before: URLSearchParams, state: Shown): URLSearchParams {
  const next = new URLSearchParams(before);
  if (state === 'all') next.delete('state');
  else next.set('state', state);
  return next;
}

function useColumns(): readonly Column<Stocktake>[] {
  const texts = useTexts();
  const { columns } = texts.stocktakes;
  const { empty } = texts.app.records;
  return [
    { name: columns.name, cell: ({ name }) => <bdi>{name}</bdi> },
    { name: columns.state, isShort: true, cell: ({ state }) => <StocktakeBadge state={state} /> },
    { name: columns.scope, from: 'tablet', cell: ({ scope }) => <bdi>{scopeText(scope, texts)}</bdi> },
    {
      name: columns.progress,
      isShort: true,
      isNumber: true,
      cell: (stocktake, index) => (index < MAX_PROGRESS ? <Progress of={stocktake} /> : empty),
    },
    {
      name: columns.started,
      from: 'tablet',
      cell: ({ startedAt, startedBy }) => <Step at={startedAt} by={startedBy} />,
    },
    {
      name: columns.ended,
      from: 'desktop',
      cell: ({ closedAt, closedBy, cancelledAt, cancelledBy }) => {
        const endedAt = closedAt ?? cancelledAt;
        return endedAt === null ? empty : <Step at={endedAt} by={closedBy ?? cancelledBy} />;
      },
    },
  ];
}

/** How many pets are counted, of those that must be. */
function Progress({ of: { id, state } }: { of: Stocktake }) {
  const { stocktakes, app } = useTexts();
  const { quantity } = useFormat();
  const totals = useProgress(id, state === 'running');
  if (!totals) return app.records.empty;
  return stocktakes.countedOf(quantity(totals.counted), quantity(totals.counted + totals.uncounted));
}

function Step({ at, by }: { at: string; by: Stocktake['closedBy'] }) {
  return (
    <span className={styles.step}>
      <RelativeTime at={at} />
      {by && <bdi>{by.name}</bdi>}
    </span>
  );
}
