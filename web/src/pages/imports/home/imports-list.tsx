import type { Import } from '../../../api/schemas.ts';
import { RecordsState } from '../../../components/records/records-state.tsx';
import { RecordsTable } from '../../../components/records/records-table.tsx';
import type { Column } from '../../../components/records/table.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { IconFileImport } from '../../../icons/icons.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { ImportBadge } from '../import-badge.tsx';
import { isOver, useImports, useKeyNames } from '../imports-api.ts';
import styles from './imports-list.module.css';

/** The imports of the last days, the newest first. */
export function ImportsList() {
  const { imports } = useTexts();
  const { records, error, retry, more } = useImports();
  const columns = useColumns();
  return (
    <section className={styles.list} aria-labelledby="recent-title">
      <h2 id="recent-title" className={styles.title}>
        {imports.recent}
      </h2>
      <RecordsState
        isLoading={records === undefined}
        error={error}
        onRetry={retry}
        empty={
          records?.length === 0 && (
            <EmptyState icon={IconFileImport} title={imports.none}>
              {imports.noneHint}
            </EmptyState>
          )
        }
      >
        <RecordsTable
          label={imports.recent}
          columns={columns}
          records={records ?? []}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/imports/${id}`}
          stateOf={({ state }) => ({ 'data-dim': (isOver(state) && state !== 'applied') || undefined })}
          onMore={more}
        />
      </RecordsState>
    </section>
  );
}

function useColumns(): readonly Column<Import>[] {
  const { app, imports } = useTexts();
  const format = useFormat();
  const names = useKeyNames();
  return [
    { name: imports.file, cell: ({ fileName, id }) => fileName ?? id },
    { name: imports.state, cell: ({ state }) => <ImportBadge state={state} /> },
    ...(['new', 'changed', 'unchanged'] as const).map(
      (effect): Column<Import> => ({
        name: imports.effects[effect],
        isNumber: true,
        from: 'tablet',
        cell: ({ counts, state }) =>
          state === 'receiving' || state === 'checking' || state === 'invalid'
            ? app.records.empty
            : format.quantity(counts[effect]),
      }),
    ),
    { name: imports.sentBy, from: 'desktop', cell: ({ createdBy }) => names.get(createdBy) ?? createdBy },
    { name: imports.sent, from: 'tablet', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ];
}
