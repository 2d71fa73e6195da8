import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Stocktake, StocktakeLine } from '../../api/schemas.ts';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageTabs } from '../../components/page/page-tabs.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { NotFound } from '../../components/states/not-found.tsx';
import { PageSkeleton } from '../../components/states/page-skeleton.tsx';
import { useStocktake } from '../../components/stocktakes/use-stocktakes.ts';
import { IconScan } from '../../icons/icons.tsx';
import { useMay } from '../../session/session-context.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { PrintedReport } from './printed-report.tsx';
import { StocktakeActions } from './stocktake-actions.tsx';
import { StocktakeBadge, StocktakeFacts } from './stocktake-facts.tsx';
import { CountedPets, UncountedPets } from './stocktake-lines.tsx';
import { Totals } from './stocktake-totals.tsx';
import styles from './stocktakes.module.css';
import { useTotals } from './stocktakes-api.ts';

interface Props {
  readonly stocktakeId: string;
  /** The part of the report: the differences by default. */
  readonly part: string | undefined;
}

export function StocktakePage({ stocktakeId, part }: Props) {
  const { app } = useTexts();
  const { data: stocktake, error, refetch } = useStocktake(stocktakeId);
  if (!stocktake && !error) return <PageSkeleton />;
  if (!stocktake)
    return (
      <>
        <PageHeader title={stocktakeId} parent={{ href: '/stocktakes', label: app.pages.stocktakes }} />
        <ErrorState error={error} onRetry={() => void refetch()} />
      </>
    );
  return <Report stocktake={stocktake} part={part} />;
}

function Report({ stocktake, part }: { stocktake: Stocktake; part: string | undefined }) {
  const { app, stocktakes } = useTexts();
  const format = useFormat();
  const { id, name, state } = stocktake;
  const mayCount = useMay('staff') && state === 'running';
  const { data: totals, error, refetch } = useTotals(id, state === 'running');
  const [printed, setPrinted] = useState<readonly StocktakeLine[]>();
  const [path] = useLocation();
  const home = `/stocktakes/${id}`;
  if (part !== undefined && part !== 'counted' && part !== 'uncounted') return <NotFound />;
  const count = (value: number | undefined) => (value === undefined ? undefined : format.quantity(value));
  return (
    <>
      <PageHeader
        title={name}
        parent={{ href: '/stocktakes', label: app.pages.stocktakes }}
        facts={<StocktakeBadge state={state} />}
        actions={
          <>
            <StocktakeActions stocktake={stocktake} totals={totals} onPrint={setPrinted} />
            {mayCount && (
              <Button
                component={Link}
                href={`/count?stocktake=${id}`}
                aria-label={stocktakes.countFor}
                leftSection={<IconScan size={16} stroke={1.75} />}
              >
                {stocktakes.count}
              </Button>
            )}
          </>
        }
      />
      <PageBody>
        <Totals stocktake={stocktake} totals={totals} error={error} onRetry={() => void refetch()}>
          <StocktakeFacts stocktake={stocktake} />
        </Totals>
        <div className={styles.parts} data-printed={printed !== undefined || undefined}>
          <PageTabs
            label={stocktakes.tabs}
            current={path}
            isInset
            tabs={[
              [home, stocktakes.differences, count(totals?.differences)],
              [`${home}/counted`, stocktakes.counted, count(totals?.counted)],
              [`${home}/uncounted`, stocktakes.uncounted, count(totals?.uncounted)],
            ]}
          />
          {part === 'uncounted' ? (
            <UncountedPets stocktakeId={id} mayCount={mayCount} />
          ) : (
            <CountedPets
              key={part}
              stocktakeId={id}
              differs={part === undefined}
              isEmpty={totals?.counted === 0}
              mayCount={mayCount}
            />
          )}
        </div>
        {printed && <PrintedReport lines={printed} onDone={() => setPrinted(undefined)} />}
      </PageBody>
    </>
  );
}
