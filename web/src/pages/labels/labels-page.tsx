import { Button, SegmentedControl } from '@mantine/core';
import { Suspense, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { PageSkeleton } from '../../components/states/page-skeleton.tsx';
import { IconBarcode } from '../../icons/icons.tsx';
import { LateCode } from '../../loading/late-code.ts';
import { lateComponent } from '../../loading/late-component.ts';
import { useKeptState, useStock, useStockList } from '../../stock/stock-provider.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import type { LabelKind } from './label-code.ts';
import styles from './labels.module.css';

/** With the library that draws codes, which no other page loads. */
const LabelSheet = lateComponent(new LateCode(() => import('./label-sheet.tsx'), { isForAll: false }));

/** Labels that are drawn and printed together. */
const PER_PAGE = 300;
const KINDS: readonly LabelKind[] = ['bars', 'qr'];
const NONE: ReadonlySet<string> = new Set();

/** Shelf labels of one pet, which the address names, or of the pets that are selected in the stock list. */
export default function LabelsPage() {
  const { app, labels, shared } = useTexts();
  const format = useFormat();
  const [parameters] = useSearchParams();
  const petId = parameters.get('petId');
  const { store, reload } = useStock();
  const { snapshot } = useStockList('labels');
  const [selected] = useKeptState('stock-selection', NONE);
  const [kind, setKind] = useState<LabelKind>('bars');
  const [from, setFrom] = useState(0);
  const petIds = petId === null ? [...selected] : [petId];
  const rows = petIds.flatMap((id) => store.find(id) ?? []);
  const shown = rows.slice(from, from + PER_PAGE);
  const { isComplete, error } = snapshot;
  return (
    <div className={styles.page}>
      <PageHeader
        title={app.pages.labels}
        parent={
          petId === null
            ? { href: '/stock', label: app.pages.stock }
            : { href: `/pets/${petId}`, label: rows[0]?.name ?? shared.unnamed(petId) }
        }
        facts={labels.facts(format.count(rows.length))}
        actions={
          <Button disabled={shown.length === 0} onClick={() => window.print()}>
            {labels.print}
          </Button>
        }
      />
      <PageBody>
        {rows.length > 0 ? (
          <>
            <div className={styles.toolbar}>
              <SegmentedControl
                aria-label={labels.kind}
                value={kind}
                onChange={(value) => setKind(value as LabelKind)}
                data={KINDS.map((value) => ({ value, label: labels.kinds[value] }))}
              />
              {rows.length > PER_PAGE && (
                <span className={styles.pages}>
                  {labels.part(
                    format.quantity(from + 1),
                    format.quantity(from + shown.length),
                    format.quantity(rows.length),
                  )}
                  <Button variant="default" disabled={from === 0} onClick={() => setFrom(from - PER_PAGE)}>
                    {labels.previous}
                  </Button>
                  <Button
                    variant="default"
                    disabled={from + PER_PAGE >= rows.length}
                    onClick={() => setFrom(from + PER_PAGE)}
                  >
                    {labels.next}
                  </Button>
                </span>
              )}
            </div>
            <Suspense fallback={<PageSkeleton isPart />}>
              <LabelSheet rows={shown} kind={kind} />
            </Suspense>
          </>
        ) : error !== undefined ? (
          <ErrorState error={error} onRetry={reload} />
        ) : isComplete ? (
          <EmptyState
            icon={IconBarcode}
            title={labels.empty}
            actions={
              <Button component={Link} href="/stock" variant="default">
                {labels.toStock}
              </Button>
            }
          >
            {labels.emptyHint}
          </EmptyState>
        ) : (
          <PageSkeleton isPart />
        )}
      </PageBody>
    </div>
  );
}
