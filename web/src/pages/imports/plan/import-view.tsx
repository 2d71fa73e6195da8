import { IMPORT_EFFECTS } from '@petstore-inventory/shared/words';
import { Link, useSearchParams } from 'wouter';
import { isApiError } from '../../../api/api-error.ts';
import type { ImportCounts } from '../../../api/schemas.ts';
import { PageBody } from '../../../components/page/page-body.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { NotFound } from '../../../components/states/not-found.tsx';
import { PageSkeleton } from '../../../components/states/page-skeleton.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useImportName } from '../import-name.ts';
import { useImport, useKeyNames, useUndoneImports } from '../imports-api.ts';
import type { FindImport } from '../undo-chain.ts';
import styles from './effect-tabs.module.css';
import { ErrorList } from './error-list.tsx';
import { ImportActions } from './import-actions.tsx';
import { ImportStatus } from './import-status.tsx';
import { PlanTable } from './plan-table.tsx';

const NONE_KEPT: FindImport = () => undefined;

/** One import: its state, what it would change, and what to do about it. */
export function ImportView({ importId }: { importId: string }) {
  const { app, imports } = useTexts();
  const format = useFormat();
  const names = useKeyNames();
  const [search, setSearch] = useSearchParams();
  const { data: found, error, refetch } = useImport(importId);
  const findUndone = useUndoneImports(found);
  const name = useImportName(findUndone ?? NONE_KEPT);
  if (isApiError(error, 'not_found')) {
    const leadsTo = { href: '/imports', label: app.pages.imports };
    return <NotFound title={imports.gone} hint={imports.goneHint} leadsTo={leadsTo} />;
  }
  if (!found || !findUndone)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} isWholePage /> : <PageSkeleton />;
  const { state, errorCount, counts } = found;
  const show = search.get('show');
  // It may have failed or been cancelled before it had rows, and an undo may find nothing to do.
  const hasRows = counts.new + counts.changed + counts.unchanged + errorCount > 0;
  const hasPlan = state !== 'receiving' && state !== 'checking' && state !== 'invalid' && hasRows;
  const showsProblems = errorCount > 0 && (show === 'problems' || (show === null && state === 'stale'));
  const effect = IMPORT_EFFECTS.find((known) => known === show);
  return (
    <>
      <PageHeader
        title={name(found)}
        parent={{ href: '/imports', label: app.pages.imports }}
        facts={
          <>
            {found.undoes === null ? (
              <>
                {imports.formats[found.format]} · {format.bytes(found.byteCount)} ·{' '}
                {imports.modeFacts[found.mode]} ·{' '}
              </>
            ) : (
              <>
                <Link href={`/imports/${found.undoes}`}>{imports.undo.undone}</Link> ·{' '}
              </>
            )}
            {found.reading?.mapping && (
              <>
                <bdi>{imports.mappings.fact(found.reading.mapping)}</bdi> ·{' '}
              </>
            )}{' '}
            <bdi>{names.get(found.createdBy) ?? found.createdBy}</bdi>, <RelativeTime at={found.createdAt} />
          </>
        }
        actions={<ImportActions found={found} name={name(found)} />}
      />
      <ImportStatus found={found} nameOf={(keyId) => names.get(keyId ?? '') ?? keyId ?? ''} />
      {hasPlan && (
        <EffectTabs
          counts={counts}
          problems={errorCount}
          shown={showsProblems ? 'problems' : (effect ?? 'all')}
          onShow={(next) => setSearch({ show: next }, { replace: true })}
        />
      )}
      {state === 'invalid' || (hasPlan && showsProblems) ? (
        <PageBody>
          <ErrorList found={found} />
        </PageBody>
      ) : (
        hasPlan && <PlanTable key={effect} found={found} effect={effect} />
      )}
    </>
  );
}

type Shown = 'all' | 'new' | 'changed' | 'unchanged' | 'problems';

interface Props {
  readonly counts: ImportCounts;
  readonly problems: number;
  readonly shown: Shown;
  readonly onShow: (shown: Shown) => void;
}

/** Filters the rows of a plan by their effect, with how many there are. */
function EffectTabs({ counts, problems, shown, onShow }: Props) {
  const { imports } = useTexts();
  const format = useFormat();
  const tabs: readonly (readonly [Shown, string, number])[] = [
    ['all', imports.all, counts.new + counts.changed + counts.unchanged],
    ['new', imports.effects.new, counts.new],
    ['changed', imports.effects.changed, counts.changed],
    ['unchanged', imports.effects.unchanged, counts.unchanged],
    ...(problems > 0 ? ([['problems', imports.problems, problems]] as const) : []),
  ];
  return (
    <fieldset className={styles.tabs}>
      <legend className="visually-hidden">{imports.filter}</legend>
      {tabs.map(([name, label, count]) => (
        <button
          key={name}
          type="button"
          className={styles.tab}
          aria-pressed={shown === name}
          onClick={() => onShow(name)}
        >
          {label}
          <span className={`${styles.count} number`}>{format.quantity(count)}</span>
        </button>
      ))}
    </fieldset>
  );
}
