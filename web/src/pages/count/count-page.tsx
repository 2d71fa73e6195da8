import { useRef, useState } from 'react';
import { PageBody } from '../../components/page/page-body.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { useCounts } from '../../counts/use-counts.ts';
import { IconScan } from '../../icons/icons.tsx';
import { useMay, useSession } from '../../session/session-context.tsx';
import { useStock, useStockList } from '../../stock/stock-provider.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './count.module.css';
import { CountHeader } from './count-header.tsx';
import { CountList } from './count-list.tsx';
import { Counting } from './counting.tsx';
import { LeftCounts } from './left-counts.tsx';
import { PetFinder } from './pet-finder.tsx';
import { petIdOf } from './scan-burst.ts';
import { Summary } from './summary.tsx';
import { useBlind } from './use-blind.ts';
import { useCountKeys } from './use-count-keys.ts';
import { useCounting } from './use-counting.ts';
import { useFinder } from './use-finder.ts';

/** Counting pets on the shop floor: find one, type what is there, next. It works without a connection. */
export default function CountPage() {
  const { count: texts } = useTexts();
  const { keyId } = useSession();
  const isStaff = useMay('staff');
  const { store, reload } = useStock();
  const { list, snapshot } = useStockList('count');
  const all = useCounts();
  const counts = all.filter((count) => count.keyId === keyId);
  const left = all.filter((count) => count.keyId !== keyId && count.state === 'waiting');
  const field = useRef<HTMLInputElement>(null);
  // On a phone it would open the keyboard over half of the page.
  const onSaved = () => matchMedia('(pointer: fine)').matches && field.current?.focus();
  const counting = useCounting(store, counts, onSaved);
  const { words, found, setWords } = useFinder(store, list, snapshot);
  const [isBlind, setBlind] = useBlind();
  const [isFinishing, setFinishing] = useState(false);
  const [unknown, setUnknown] = useState<string>();

  // The next pet ends the count of the pet before it, which stays if it cannot be kept.
  const next = (petId: string | undefined, typed = counting.typed) => {
    if (counting.row && typed !== '' && !counting.save(typed)) return counting.type(typed);
    counting.choose(petId);
  };
  const pick = (petId: string, typed = counting.typed) => {
    setUnknown(undefined);
    setWords('');
    next(petId, typed);
    field.current?.blur();
  };
  const onCode = (code: string, typedBefore = counting.typed) => {
    if (!isStaff) return;
    const petId = petIdOf(code);
    if (petId !== undefined && store.find(petId)) return pick(petId, typedBefore);
    next(undefined, typedBefore);
    setWords('');
    setUnknown(code);
  };
  const finish = () => counts.length > 0 && setFinishing(true);
  useCountKeys(counting, { onCode, onFinish: finish, onBlind: () => setBlind(!isBlind) });

  return (
    <>
      <CountHeader counts={counts} isBlind={isBlind} onBlind={setBlind} onFinish={finish} />
      <PageBody>
        <div className={styles.page}>
          <div className={styles.work}>
            <LeftCounts counts={left} />
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
            <div role="alert">
              {unknown !== undefined && <p className={styles.note}>{texts.noPet(unknown)}</p>}
            </div>
            {counting.row ? (
              <Counting key={counting.row.petId} counting={counting} row={counting.row} isBlind={isBlind} />
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
