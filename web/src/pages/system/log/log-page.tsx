import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import type { ActivityEntry } from '../../../api/schemas.ts';
import type { FileColumns } from '../../../components/downloads/csv.ts';
import { ExportButton } from '../../../components/downloads/export-button.tsx';
import { readAll } from '../../../components/downloads/read-all.ts';
import { RecordsState } from '../../../components/records/records-state.tsx';
import { RecordsTable } from '../../../components/records/records-table.tsx';
import type { Column } from '../../../components/records/table.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { IconListSearch } from '../../../icons/icons.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { SystemFrame } from '../system-frame.tsx';
import styles from './log.module.css';
import { type LogFilters, readLogPage, useLog } from './log-api.ts';
import { LogFilterRow } from './log-filter-row.tsx';

/** The activity log: changes by management keys and the command line. */
export function LogPage() {
  const { system } = useTexts();
  const [search, setSearch] = useSearchParams();
  const textOf = (name: keyof LogFilters) => search.get(name) ?? '';
  const filters: LogFilters = {
    actor: textOf('actor'),
    action: textOf('action'),
    target: textOf('target'),
    since: textOf('since'),
    until: textOf('until'),
  };
  const change = (changes: Partial<LogFilters>) => {
    const set = Object.entries({ ...filters, ...changes }).filter(([, value]) => value !== '');
    setSearch(Object.fromEntries(set), { replace: true });
  };
  const isFiltered = Object.values(filters).some((value) => value !== '');
  const { entries, error, retry, more, isLoadingMore } = useLog(filters);
  const columns = useColumns();
  return (
    <SystemFrame facts={system.logFacts}>
      <LogFilterRow filters={filters} onChange={change}>
        <ExportButton
          name="activity-log"
          columns={FILE_COLUMNS}
          read={(use, onProgress) => readAll((cursor) => readLogPage(filters, cursor), use, onProgress)}
        />
      </LogFilterRow>
      <RecordsState
        isLoading={entries === undefined}
        error={error}
        onRetry={retry}
        empty={
          entries?.length === 0 && (
            <EmptyState
              icon={IconListSearch}
              title={isFiltered ? system.noMatch : system.noEntries}
              actions={
                isFiltered && (
                  <Button variant="default" onClick={() => setSearch({}, { replace: true })}>
                    {system.clearFilters}
                  </Button>
                )
              }
            />
          )
        }
      >
        <RecordsTable
          label={system.tabs.log}
          columns={columns}
          records={entries ?? []}
          keyOf={({ recordedAt, requestId, action, target }) =>
            `${recordedAt} ${requestId} ${action} ${target}`
          }
          onMore={isLoadingMore ? undefined : more}
        />
      </RecordsState>
    </SystemFrame>
  );
}

const FILE_COLUMNS: FileColumns<ActivityEntry> = {
  recordedAt: ({ recordedAt }) => recordedAt,
  author: ({ actor }) => actor.name,
  authorKeyId: ({ actor }) => actor.keyId,
  action: ({ action }) => action,
  target: ({ target }) => target,
  details: ({ details }) => JSON.stringify(details),
  requestId: ({ requestId }) => requestId,
};

function useColumns(): readonly Column<ActivityEntry>[] {
  const { system } = useTexts();
  return [
    { name: system.when, cell: ({ recordedAt }) => <RelativeTime at={recordedAt} /> },
    { name: system.who, cell: ({ actor }) => <span className={styles.one}>{actor.name}</span> },
    { name: system.action, cell: ({ action }) => <span className={styles.one}>{action}</span> },
    {
      name: system.target,
      from: 'tablet',
      cell: (entry) => (
        <span className={styles.one}>
          <Target entry={entry} />
        </span>
      ),
    },
    { name: system.details, from: 'desktop', cell: ({ details }) => <Details details={details} /> },
  ];
}

const MAX_CHARACTERS = 160;

/** The values of an action, in one line; all of them on hover. */
function Details({ details }: { details: Readonly<Record<string, unknown>> }) {
  const text = Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
  const shown = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  return (
    <span className={styles.details} title={shown === text ? undefined : text}>
      {shown}
    </span>
  );
}

/** The pages of what actions change, by their groups. */
const PAGES: Readonly<Record<string, string>> = {
  pets: '/pets/',
  inventory: '/pets/',
  orders: '/orders/',
  accounts: '/access/accounts/',
  keys: '/access/keys/',
  'admin-keys': '/access/management-keys/',
  imports: '/imports/',
  webhooks: '/webhooks/',
};

function Target({ entry: { action, target } }: { entry: ActivityEntry }) {
  const { app } = useTexts();
  if (target === null) return app.records.empty;
  const page = PAGES[action.split('.', 1)[0] ?? ''];
  const isGone = action.endsWith('.delete');
  if (page === undefined || isGone) return target;
  return <Link href={page + encodeURIComponent(target)}>{target}</Link>;
}
