import { Button } from '@mantine/core';
import { Fragment, useMemo } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { ActivityEntry } from '../../../api/schemas.ts';
import type { FileColumns } from '../../../components/downloads/csv.ts';
import { ExportButton } from '../../../components/downloads/export-button.tsx';
import { readAll } from '../../../components/downloads/read-all.ts';
import { usePetNames } from '../../../components/movements/use-pet-names.ts';
import { RecordsState } from '../../../components/records/records-state.tsx';
import { RecordsTable } from '../../../components/records/records-table.tsx';
import type { Column } from '../../../components/records/table.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { IconListSearch } from '../../../icons/icons.tsx';
import { useMay } from '../../../session/session-context.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { SystemFrame } from '../system-frame.tsx';
import styles from './log.module.css';
import { type LogFilters, readLogPage, useLog, useStocktakeNames, useUndoableChanges } from './log-api.ts';
import { LogFilterRow } from './log-filter-row.tsx';
import type { Part } from './part.ts';
import { petIdsOf, sentenceOf } from './sentence.ts';
import { UndoChange } from './undo-change.tsx';

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
  const columns = useColumns(entries ?? NONE);
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

const NONE: readonly ActivityEntry[] = [];

const isEndOfChange = ({ action }: ActivityEntry): boolean => action === 'bulk-changes.finish';

const FILE_COLUMNS: FileColumns<ActivityEntry> = {
  recordedAt: ({ recordedAt }) => recordedAt,
  author: ({ actor }) => actor.name,
  authorKeyId: ({ actor }) => actor.keyId,
  action: ({ action }) => action,
  target: ({ target }) => target,
  details: ({ details }) => JSON.stringify(details),
  requestId: ({ requestId }) => requestId,
};

function useColumns(entries: readonly ActivityEntry[]): readonly Column<ActivityEntry>[] {
  const texts = useTexts();
  const { system, log } = texts;
  const format = useFormat();
  const pets = useMemo(() => entries.flatMap(petIdsOf).map((petId) => ({ petId })), [entries]);
  const petNames = usePetNames(pets);
  const { data: stocktakeNames } = useStocktakeNames(
    entries.some(({ action }) => action.startsWith('stocktakes.')),
  );
  const mayUndo = useMay('staff');
  const { data: undoable } = useUndoableChanges(mayUndo && entries.some(isEndOfChange));
  return [
    { name: system.when, cell: ({ recordedAt }) => <RelativeTime at={recordedAt} /> },
    {
      name: log.happened,
      cell: (entry) => (
        <span className={styles.happened}>
          <Sentence parts={sentenceOf(entry, { texts, format, petNames, stocktakeNames })} />
          <Undo entry={entry} undoable={undoable} />
        </span>
      ),
    },
    {
      name: system.details,
      from: 'desktop',
      cell: ({ action, details }) => <Details details={{ action, ...details }} />,
    },
  ];
}

/** The undo of a change of many pets beside the line of its end. */
function Undo({ entry, undoable }: { entry: ActivityEntry; undoable: ReadonlySet<string> | undefined }) {
  const { target } = entry;
  if (target === null || !isEndOfChange(entry) || !undoable?.has(target)) return null;
  return <UndoChange id={target} />;
}

function Sentence({ parts }: { parts: readonly Part[] }) {
  return (
    <span className={styles.sentence}>
      {parts.map(({ text, isValue, href }, at) => {
        // The parts of a sentence keep their places.
        const key = `${at} ${text}`;
        if (!isValue) return <Fragment key={key}>{text}</Fragment>;
        return <bdi key={key}>{href === undefined ? text : <Link href={href}>{text}</Link>}</bdi>;
      })}
    </span>
  );
}

/** The action and its values as the service has them, on request. */
function Details({ details }: { details: Readonly<Record<string, unknown>> }) {
  const { log } = useTexts();
  const values = Object.entries(details);
  return (
    <details className={styles.details}>
      <summary>{log.showDetails}</summary>
      <dl>
        {values.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
