import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { Count, Interference } from '../../counts/count.ts';
import { detailNames, type PetDetails, type WaitingDetails } from '../../counts/details.ts';
import { UNSURE } from '../../counts/send-count.ts';
import {
  countQueue,
  keepTheirs,
  overwriteWith,
  sendAgain,
  sendWithoutStocktake,
} from '../../counts/use-counts.ts';
import { useErrorText, useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './count-problem.module.css';
import { EDIT_PARAMETER, isInForm, keepAsDraft } from '../pets/edit-draft.ts';
import { useDetailText } from './detail-changes.tsx';

interface Props {
  readonly count: Count;
  /** Counts the pet again; `undefined` where that is not possible. */
  readonly onAgain: ((petId: string) => void) | undefined;
  /** What was counted, where the page does not show it beside the problem. */
  readonly children?: ReactNode;
}

/** What a count or an edit needs from its person: the choice between two numbers, or the reason of its refusal. */
export function CountProblem({ count, onAgain, children }: Props) {
  const { now, state, problem } = count;
  return (
    <>
      {now?.details && count.edit?.details && state === 'conflict' && (
        <DetailConflict count={count} now={now} mine={count.edit.details} theirs={now.details} />
      )}
      {now !== undefined && !now.details && (state === 'conflict' || state === 'sent') && (
        <Conflict count={count} now={now} onAgain={onAgain}>
          {children}
        </Conflict>
      )}
      {problem !== undefined && (
        <Refused count={count} problem={problem}>
          {children}
        </Refused>
      )}
    </>
  );
}

/** Who changed the pet after it was counted, and the choice between both numbers, unless the count is recorded. */
function Conflict({ count, now, onAgain, children }: Props & { now: Interference }) {
  const texts = useTexts().count;
  const format = useFormat();
  const { state, counted, petId } = count;
  const quantity = format.quantity(now.quantity);
  return (
    <div className={styles.problem} role="alert">
      {children}
      <p>
        {now.who === undefined || now.at === undefined
          ? texts.conflictUnknown(quantity)
          : now.isCount
            ? texts.conflictCounted(now.who, format.relative(new Date(now.at)))
            : texts.conflict(now.who, quantity, format.relative(new Date(now.at)))}
      </p>
      <div className={styles.choices}>
        {state === 'conflict' && (
          <>
            <Button variant="default" onClick={() => keepTheirs(count)}>
              {now.isCount ? texts.keepCount : texts.keep(quantity)}
            </Button>
            <Button variant="default" onClick={() => overwriteWith(count)}>
              {now.isCount ? texts.setCount(format.quantity(counted)) : texts.set(format.quantity(counted))}
            </Button>
          </>
        )}
        {onAgain && (
          <Button
            variant="subtle"
            onClick={() => {
              if (state === 'conflict') keepTheirs(count);
              onAgain(petId);
            }}
          >
            {texts.recount}
          </Button>
        )}
      </div>
    </div>
  );
}

interface DetailConflictProps {
  readonly count: Count;
  readonly now: Interference;
  readonly mine: WaitingDetails;
  readonly theirs: Partial<PetDetails>;
}

/** Who changed the same details of the pet, and the choice between both values of each. */
function DetailConflict({ count, now, mine, theirs }: DetailConflictProps) {
  const { count: texts, shared } = useTexts();
  const format = useFormat();
  const text = useDetailText();
  return (
    <div className={styles.problem} role="alert">
      <p>
        {now.who === undefined || now.at === undefined
          ? texts.detailsConflictUnknown(count.name)
          : texts.detailsConflict(now.who, count.name, format.relative(new Date(now.at)))}
      </p>
      <ul className={styles.details}>
        {detailNames(theirs).map((name) => (
          <li key={name}>
            {texts.bothValues(shared.fields[name], text(name, theirs), text(name, mine.values))}
          </li>
        ))}
      </ul>
      <div className={styles.choices}>
        <Button variant="default" onClick={() => keepTheirs(count)}>
          {texts.keepDetails}
        </Button>
        <Button variant="default" onClick={() => overwriteWith(count)}>
          {texts.setDetails}
        </Button>
      </div>
    </div>
  );
}

interface RefusedProps extends Pick<Props, 'count' | 'children'> {
  readonly problem: NonNullable<Count['problem']>;
}

function Refused({ count, problem, children }: RefusedProps) {
  const texts = useTexts().count;
  const errorText = useErrorText();
  const isTooLate = count.stocktakeId !== undefined && problem.code === 'conflict';
  return (
    <div className={styles.problem} role="alert">
      {children}
      <p>
        {isTooLate ? texts.stocktake.refused : problem.code === UNSURE ? texts.unsure : errorText(problem)}
      </p>
      {count.state === 'refused' && (
        <div className={styles.choices}>
          <Button variant="default" size="compact-md" onClick={() => countQueue.remove(count.id)}>
            {texts.discard}
          </Button>
          {isTooLate && (
            <Button variant="default" size="compact-md" onClick={() => sendWithoutStocktake(count)}>
              {texts.stocktake.without}
            </Button>
          )}
          {!isTooLate && <Repeat count={count} problem={problem} />}
        </div>
      )}
    </div>
  );
}

/** Repeats a change that was refused: from its form, if it has one. */
function Repeat({ count, problem }: Omit<RefusedProps, 'children'>) {
  const texts = useTexts().count;
  const [, navigate] = useLocation();
  const { id, petId, keyId, edit } = count;
  const details = edit?.details;
  // A pet that is gone has neither. What the service may have already must not be sent again.
  if (problem.code === 'not_found' || problem.code === UNSURE) return null;
  if (!details || !isInForm(details))
    return (
      <Button variant="default" size="compact-md" onClick={() => sendAgain(count)}>
        {texts.sendAgain}
      </Button>
    );
  const editAgain = () => {
    if (!keepAsDraft(keyId, petId, details)) return;
    countQueue.remove(id);
    navigate(`/pets/${petId}?${EDIT_PARAMETER}`);
  };
  return (
    <Button variant="default" size="compact-md" onClick={editAgain}>
      {texts.editAgain}
    </Button>
  );
}
