import { Button, CloseButton } from '@mantine/core';
import { authorName } from '../../components/movements/movement-facts.ts';
import { Change } from '../../components/quantity.tsx';
import { DraftNote } from '../../drafts/draft-note.tsx';
import { IconBackspace } from '../../icons/icons.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './counting.module.css';
import { useCountedBefore } from './use-counted-before.ts';
import type { Counting as CountingState, SeenPet } from './use-counting.ts';

interface Props {
  readonly counting: Pick<CountingState, 'changedTo' | 'typed' | 'type' | 'save' | 'choose' | 'draft'>;
  readonly row: SeenPet;
  readonly stocktakeId: string | undefined;
  /** The name of the stock-take that the pet is counted for. */
  readonly stocktake: string | undefined;
  readonly isBlind: boolean;
}

/** Digits of a keyboard belong to the pet, and a screen reader says which one it is. */
const focus = (section: HTMLElement | null) => section?.focus({ preventScroll: true });

/** More digits could be more than a quantity. */
const MAX_DIGITS = 15;

/** The pet that is being counted, with the number pad. */
export function Counting({ counting, row, stocktakeId, stocktake, isBlind }: Props) {
  const { changedTo, typed, type, save, choose, draft } = counting;
  const texts = useTexts();
  const { count, shared } = texts;
  const format = useFormat();
  const before = useCountedBefore(row.petId, stocktakeId);
  const name = row.name ?? shared.unnamed(row.petId);
  const difference = Number(typed) - row.quantity;
  return (
    <section className={styles.counting} aria-label={count.pet} tabIndex={-1} ref={focus}>
      <div className={styles.pet}>
        <div className={styles.words}>
          <h2 className={styles.name}>{name}</h2>
          <p className={`${styles.facts} number`}>
            {row.petId}
            {row.category !== null && (
              <>
                {' · '}
                <bdi>{row.category}</bdi>
              </>
            )}
            {' · '}
            {isBlind ? count.hidden : count.expected(format.quantity(row.quantity))}
            {stocktake !== undefined && (
              <>
                {' · '}
                <bdi>{stocktake}</bdi>
              </>
            )}
          </p>
        </div>
        <CloseButton
          size="lg"
          onClick={() => choose(undefined)}
          attributes={{ root: { 'aria-label': count.leave } }}
        />
      </div>
      <DraftNote draft={draft} />
      <div role="status">
        {changedTo !== undefined && (
          <p className={styles.changed}>
            {isBlind ? count.changed : count.changedTo(format.quantity(changedTo))}
            <Button size="compact-md" variant="default" onClick={() => choose(row.petId)}>
              {count.recount}
            </Button>
          </p>
        )}
      </div>
      <p className={styles.display}>
        <output
          className={`${styles.typed} number`}
          aria-label={count.counted}
          data-empty={typed === '' || undefined}
        >
          {typed === '' ? '0' : format.quantity(Number(typed))}
        </output>
        {before && typed === '' && (
          <span className={styles.before} role="status">
            {count.countedBefore(
              authorName(before.actor, texts),
              format.relative(new Date(before.recordedAt)),
            )}
          </span>
        )}
        {!isBlind && typed !== '' && (
          <span className={styles.difference} data-sign={Math.sign(difference)}>
            <Change value={difference} />
          </span>
        )}
      </p>
      <NumberPad
        onDigit={(digit) => type(appended(typed, digit))}
        onDelete={() => type(typed.slice(0, -1))}
        onClear={() => type('')}
      />
      <Button size="lg" className={styles.next} disabled={typed === ''} onClick={() => save()}>
        {count.next}
      </Button>
    </section>
  );
}

/** The typed number with one more digit, without zeros before it. */
export function appended(typed: string, digit: string): string {
  if (typed.length >= MAX_DIGITS) return typed;
  return typed === '0' ? digit : typed + digit;
}

interface NumberPadProps {
  readonly onDigit: (digit: string) => void;
  readonly onDelete: () => void;
  readonly onClear: () => void;
}

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

function NumberPad({ onDigit, onDelete, onClear }: NumberPadProps) {
  const { count } = useTexts();
  const digit = (text: string) => (
    <button key={text} type="button" className={`${styles.key} number`} onClick={() => onDigit(text)}>
      {text}
    </button>
  );
  return (
    // A pressed key keeps the focus where it is, so that Enter of a keyboard saves.
    <fieldset className={styles.pad} aria-label={count.pad} onPointerDown={(event) => event.preventDefault()}>
      {DIGITS.map(digit)}
      <button type="button" className={styles.key} data-quiet onClick={onClear}>
        {count.clear}
      </button>
      {digit('0')}
      <button type="button" className={styles.key} data-quiet aria-label={count.delete} onClick={onDelete}>
        <IconBackspace size={24} stroke={1.5} aria-hidden />
      </button>
    </fieldset>
  );
}
