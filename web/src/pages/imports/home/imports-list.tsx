import type { UndoneShare } from '@petstore-inventory/shared/undone-share';
import type { Import } from '../../../api/schemas.ts';
import type { FileColumns } from '../../../components/downloads/csv.ts';
import { ExportButton } from '../../../components/downloads/export-button.tsx';
import { allOf } from '../../../components/downloads/read-all.ts';
import { RecordsList } from '../../../components/records/records-list.tsx';
import type { Column } from '../../../components/records/table.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { IconFileImport } from '../../../icons/icons.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { ImportBadge } from '../import-badge.tsx';
import { useImportName } from '../import-name.ts';
import { UndoButton } from '../plan/undo-button.tsx';
import { isOver, isUndoable, useImports, useKeyNames } from '../imports-api.ts';
import { type FindImport, newestUndo } from '../undo-chain.ts';
import styles from './imports-list.module.css';

/** The imports of the last days, the newest first. */
export function ImportsList() {
  const { imports } = useTexts();
  const list = useImports();
  const { records = [] } = list;
  const byId = new Map(records.map((found) => [found.id, found]));
  const find = (id: string) => byId.get(id);
  const undoneOf = (found: Import) => newestUndo(found, find)?.share ?? 'none';
  const columns = useColumns(find, undoneOf);
  return (
    <section className={styles.list} aria-labelledby="recent-title">
      <div className={styles.head}>
        <h2 id="recent-title" className={styles.title}>
          {imports.recent}
        </h2>
        {records.length > 0 && (
          <ExportButton
            name="imports"
            columns={FILE_COLUMNS}
            read={allOf(records, list.more !== undefined)}
          />
        )}
      </div>
      <RecordsList
        list={list}
        label={imports.recent}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/imports/${id}`}
        stateOf={(found) => ({
          'data-dim':
            (isOver(found.state) && (found.state !== 'applied' || undoneOf(found) === 'all')) || undefined,
        })}
        empty={{ icon: IconFileImport, title: imports.none, children: imports.noneHint }}
      />
    </section>
  );
}

const FILE_COLUMNS: FileColumns<Import> = {
  id: ({ id }) => id,
  fileName: ({ fileName }) => fileName,
  format: ({ format }) => format,
  state: ({ state }) => state,
  mode: ({ mode }) => mode,
  undoes: ({ undoes }) => undoes,
  new: ({ counts }) => counts.new,
  changed: ({ counts }) => counts.changed,
  unchanged: ({ counts }) => counts.unchanged,
  errors: ({ errorCount }) => errorCount,
  createdBy: ({ createdBy }) => createdBy,
  appliedBy: ({ appliedBy }) => appliedBy,
  createdAt: ({ createdAt }) => createdAt,
};

function useColumns(find: FindImport, undoneOf: (found: Import) => UndoneShare): readonly Column<Import>[] {
  const { app, imports } = useTexts();
  const format = useFormat();
  const names = useKeyNames();
  const nameOf = useImportName(find);
  return [
    { name: imports.file, cell: nameOf },
    { name: imports.state, cell: (row) => <ImportBadge of={row} undone={undoneOf(row)} /> },
    ...(['new', 'changed', 'unchanged'] as const).map((effect): Column<Import> => ({
      name: imports.effects[effect],
      isNumber: true,
      from: 'tablet',
      cell: ({ counts, state }) =>
        state === 'receiving' || state === 'checking' || state === 'invalid'
          ? app.records.empty
          : format.quantity(counts[effect]),
    })),
    { name: imports.sentBy, from: 'desktop', cell: ({ createdBy }) => names.get(createdBy) ?? createdBy },
    { name: imports.sent, from: 'tablet', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      name: imports.undo.plan,
      isNumber: true,
      isActions: true,
      from: 'desktop',
      cell: (row) => isUndoable(row) && <UndoButton found={row} listedAs={nameOf(row)} />,
    },
  ];
}
