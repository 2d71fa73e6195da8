import { Select } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { isApiError } from '../../api/api-error.ts';
import { useStocktake, useStocktakes } from '../../components/stocktakes/use-stocktakes.ts';
import { keepStocktake, keptStocktakeName } from '../../storage/kept-stocktake.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './count.module.css';

interface Props {
  readonly stocktakeId: string | undefined;
  /** A phone has room for the number pad alone. */
  readonly isCounting: boolean;
  readonly onChange: (stocktakeId: string | undefined) => void;
}

/** The stock-take that pets are counted for. It shows while one runs, or one is chosen. */
export function StocktakeChoice({ stocktakeId, isCounting, onChange }: Props) {
  const { stocktake: texts } = useTexts().count;
  const { records: running = [] } = useStocktakes('running');
  const { data: chosen, error } = useStocktake(stocktakeId);
  useEffect(() => {
    if (chosen) keepStocktake(chosen);
  }, [chosen]);
  if (stocktakeId === undefined && running.length === 0) return null;
  const offered = new Map(running.map(({ id, name }) => [id, name]));
  if (stocktakeId !== undefined)
    offered.set(stocktakeId, chosen?.name ?? keptStocktakeName(stocktakeId) ?? stocktakeId);
  const problem = isApiError(error, 'not_found')
    ? texts.missing
    : chosen !== undefined && chosen.state !== 'running'
      ? texts.over
      : undefined;
  return (
    <div className={styles.stocktake} data-counting={(isCounting && problem === undefined) || undefined}>
      <Select
        label={texts.label}
        data={[{ value: '', label: texts.none }, ...[...offered].map(([value, label]) => ({ value, label }))]}
        value={stocktakeId ?? ''}
        allowDeselect={false}
        error={problem}
        description={chosen && problem === undefined && texts.posting[chosen.posting]}
        onChange={(id) => onChange(id === null || id === '' ? undefined : id)}
      />
      {stocktakeId !== undefined && problem === undefined && (
        <Link href={`/stocktakes/${encodeURIComponent(stocktakeId)}`} className="tap">
          {texts.open}
        </Link>
      )}
    </div>
  );
}
