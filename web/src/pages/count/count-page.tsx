import { Button, Switch } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { type CodeDialog, UnknownCode } from '../../components/scanner/unknown-code.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { useStocktake } from '../../components/stocktakes/use-stocktakes.ts';
import type { Count } from '../../counts/count.ts';
import { useCounts } from '../../counts/use-counts.ts';
import { IconScan } from '../../icons/icons.tsx';
import { useMay, usePersonId } from '../../session/session-context.tsx';
import type { StockList, StockSnapshot } from '../../stock/stock-list.ts';
import { useStock, useStockList } from '../../stock/stock-provider.tsx';
import type { StockRow } from '../../stock/stock-row.ts';
import type { StockStore } from '../../stock/stock-store.ts';
import { browserStorage, keepChoice } from '../../storage/browser-storage.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './count.module.css';
import { CountList } from './count-list.tsx';
import { Counting } from './counting.tsx';
import { LeftCounts } from './left-counts.tsx';
import { PetFinder } from './pet-finder.tsx';
import { StocktakeChoice } from './stocktake-choice.tsx';
import { Summary } from './summary.tsx';
import { useCountKeys } from './use-count-keys.ts';
import { useCounting } from './use-counting.ts';
import { useNextPet } from './use-next-pet.ts';

/** Counting pets on the shop floor: find one, type what is there, next. It works without a connection. */
export default function CountPage() {
  const { count: texts } = useTexts();
  const personId = usePersonId();
  const isStaff = useMay('staff');
  const { store, reload } = useStock();
  const { list, snapshot } = useStockList('count');
  const all = useCounts();
  const counts = all.filter((count) => count.keyId === personId);
  const left = all.filter((count) => count.keyId !== personId && count.state === 'waiting');
  const field = useRef<HTMLInputElement>(null);
  // On a phone it would open the keyboard over half of the page.
  const onSaved = () => matchMedia('(pointer: fine)').matches && field.current?.focus();
  const { stocktakeId, petId: wanted, setStocktakeId, forgetPet } = useAddress();
  const { data: stocktake } = useStocktake(stocktakeId);
  const counting = useCounting({
    store,
    counts,
    stocktakeId,
    isPetWanted: wanted !== undefined,
    onSaved,
  });
  const { words, found, setWords } = useFinder(store, list, snapshot);
  const [isBlind, setBlind] = useBlind();
  const [isFinishing, setFinishing] = useState(false);
  const [dialog, setDialog] = useState<CodeDialog>();
  const { unknown, pick, onCode, onAdded } = useNextPet({
    store,
    counting,
    isStaff,
    field,
    onWords: setWords,
    wanted,
    onWanted: forgetPet,
  });

  const finish = () => counts.length > 0 && setFinishing(true);
  useCountKeys(counting, {
    isScanning: dialog === undefined,
    onCode,
    onFinish: finish,
    onBlind: () => setBlind(!isBlind),
  });

  return (
    <>
      <CountHeader counts={counts} isBlind={isBlind} onBlind={setBlind} onFinish={finish} />
      <PageBody>
        <div className={styles.page}>
          <div className={styles.work}>
            <LeftCounts counts={left} />
            <StocktakeChoice
              stocktakeId={stocktakeId}
              isCounting={counting.row !== undefined}
              onChange={setStocktakeId}
            />
            {isStaff ? (
              <PetFinder
                words={words}
                found={found}
                field={field}
                onWords={setWords}
                onPick={(picked) => pick(picked.petId)}
                onCode={onCode}
              />
            ) : (
              <p className={styles.note}>{texts.viewer}</p>
            )}
            {unknown !== undefined && (
              <UnknownCode
                code={unknown}
                dialog={dialog}
                onDialog={setDialog}
                onPet={({ petId }) => onAdded(petId)}
              />
            )}
            {counting.row ? (
              <Counting
                key={counting.row.petId}
                counting={counting}
                row={counting.row}
                stocktakeId={stocktakeId}
                stocktake={stocktake?.name}
                isBlind={isBlind}
              />
            ) : snapshot.error !== undefined ? (
              <ErrorState error={snapshot.error} onRetry={reload} />
            ) : (
              words.trim() === '' &&
              counts.length === 0 && (
                <EmptyState icon={IconScan} title={snapshot.isComplete ? texts.start : texts.loading}>
                  {texts.startHint}
                </EmptyState>
              )
            )}
            <p className="visually-hidden" role="status">
              {counting.message}
            </p>
          </div>
          <CountList counts={counts} onAgain={isStaff ? pick : undefined} />
        </div>
      </PageBody>
      {isFinishing && <Summary counts={counts} onClose={() => setFinishing(false)} />}
    </>
  );
}

const STOCKTAKE_KEY = 'count-stocktake';

/** The stock-take and the pet of the address. Without one there, the stock-take is the last choice of this browser. */
function useAddress() {
  const [search, setSearch] = useSearchParams();
  const [chosen, setChosen] = useState(() => browserStorage.getItem(STOCKTAKE_KEY) ?? '');
  const named = search.get('stocktake') ?? '';
  const stocktakeId = named === '' ? chosen : named;
  useEffect(() => {
    if (named !== '') keepChoice(STOCKTAKE_KEY, named);
  }, [named]);
  const change = useCallback(
    (name: 'stocktake' | 'petId', value: string | undefined) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === undefined) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return {
    stocktakeId: stocktakeId === '' ? undefined : stocktakeId,
    petId: search.get('petId') ?? undefined,
    setStocktakeId: (id: string | undefined) => {
      keepChoice(STOCKTAKE_KEY, id ?? '');
      setChosen(id ?? '');
      change('stocktake', id);
    },
    forgetPet: useCallback(() => change('petId', undefined), [change]),
  };
}

interface Props {
  readonly counts: readonly Count[];
  readonly isBlind: boolean;
  readonly onBlind: (isBlind: boolean) => void;
  readonly onFinish: () => void;
}

function CountHeader({ counts, isBlind, onBlind, onFinish }: Props) {
  const { app, count } = useTexts();
  const { quantity } = useFormat();
  const counted = counts.filter(({ state, edit }) => state !== 'undone' && !edit).length;
  const waiting = counts.filter(({ state }) => state === 'waiting').length;
  return (
    <PageHeader
      title={app.pages.count}
      facts={count.facts(quantity(counted), quantity(waiting))}
      actions={
        <>
          <Switch
            label={count.blind}
            title={count.blindHint}
            checked={isBlind}
            onChange={(event) => onBlind(event.currentTarget.checked)}
            className={styles.blind}
          />
          <Button variant="default" disabled={counts.length === 0} onClick={onFinish}>
            {count.finish}
          </Button>
        </>
      }
    />
  );
}

const STORAGE_KEY = 'count-blind';

/** Whether the expected quantity is hidden until a pet is counted; kept in the browser. */
function useBlind(): readonly [boolean, (isBlind: boolean) => void] {
  const [isBlind, setBlind] = useState(() => browserStorage.getItem(STORAGE_KEY) === 'yes');
  return [
    isBlind,
    (next) => {
      keepChoice(STORAGE_KEY, next ? 'yes' : 'no');
      setBlind(next);
    },
  ];
}

const SHOWN = 6;

/** Pets by name, id or code, found in the browser. A pet with exactly this code or id comes first. */
function useFinder(store: StockStore, list: StockList, snapshot: StockSnapshot) {
  const [words, set] = useState('');
  const setWords = (next: string) => {
    set(next);
    list.setQuery({ ...list.query, words: next });
  };
  const found: StockRow[] = [];
  if (words.trim() !== '') {
    const exact = store.findScanned(words.trim());
    if (exact) found.push(exact);
    for (const index of snapshot.shown) {
      if (found.length >= SHOWN) break;
      const row = store.at(index);
      if (row !== exact) found.push(row);
    }
  }
  return { words, found, setWords };
}
