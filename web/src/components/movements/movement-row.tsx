import { ActionIcon, Tooltip } from '@mantine/core';
import { memo, useState } from 'react';
import { Link } from 'wouter';
import type { Movement } from '../../api/schemas.ts';
import { IconArrowBackUp } from '../../icons/icons.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { Badge } from '../badge.tsx';
import { RelativeTime } from '../relative-time.tsx';
import { midnight } from './movement-days.ts';
import { authorName, canUndo, changeOf, isOfManyPets, whyOf } from './movement-facts.ts';
import styles from './movement-list.module.css';

interface Props {
  readonly movement: Movement;
  /** The moment of its day, if it is the first one of that day. */
  readonly day: number | undefined;
  /** Midnight of today. */
  readonly todayMs: number;
  readonly isFresh: boolean;
  readonly isUndone: boolean;
  /** Whether it is an edit with a line in the activity log. */
  readonly isLogged: boolean;
  readonly petName: string;
  readonly showsPet: boolean;
  readonly onUndo: ((sequence: number, petName: string) => Promise<void>) | undefined;
}

export const MovementRow = memo(function MovementRow(props: Props) {
  const { movement, day, todayMs, isFresh, isUndone, isLogged, petName, showsPet, onUndo } = props;
  const texts = useTexts();
  const { change, values } = changeOf(movement, texts, useFormat());
  const { delta, recordedAt, actor, petId } = movement;
  return (
    <li>
      {day !== undefined && <DayHeading day={new Date(day)} todayMs={todayMs} />}
      <div className={styles.row} data-fresh={isFresh || undefined} data-undone={isUndone || undefined}>
        <span className={styles.when}>
          {Date.parse(recordedAt) >= todayMs ? (
            <RelativeTime at={recordedAt} />
          ) : (
            <ClockTime at={recordedAt} />
          )}
        </span>
        {showsPet && (
          <Link href={`/pets/${petId}`} className={styles.pet}>
            {petName}
          </Link>
        )}
        <span className={`${styles.change} number`}>
          <strong data-direction={delta === 0 ? undefined : delta > 0 ? 'up' : 'down'}>{change}</strong>
          <span>{values}</span>
        </span>
        <Explanation movement={movement} isUndone={isUndone} isLogged={isLogged} />
        <span className={styles.who}>{authorName(actor, texts)}</span>
        {onUndo && (
          <span className={styles.action}>
            {canUndo(movement) && !isUndone && (
              <UndoButton sequence={movement.sequence} onUndo={() => onUndo(movement.sequence, petName)} />
            )}
          </span>
        )}
      </div>
    </li>
  );
});

/** For a change of an earlier day, whose date is in the heading above. */
function ClockTime({ at }: { at: string }) {
  const format = useFormat();
  const moment = new Date(at);
  return (
    <time className="number" dateTime={at} title={format.dateTime(moment)}>
      {format.time(moment)}
    </time>
  );
}

/** Why: reason, order, note and reference. */
function Explanation({ movement, isUndone, isLogged }: Pick<Props, 'movement' | 'isUndone' | 'isLogged'>) {
  const texts = useTexts();
  const { movements } = texts;
  const { petId, alert, orderId, note, referenceId, referenceDocumentUri, revertedSequence } = movement;
  return (
    <span className={styles.why}>
      {isLogged ? (
        <Link href={`/system/log?action=pets.update&target=${petId}`} className={styles.link}>
          {whyOf(movement, texts)}
        </Link>
      ) : (
        <span>{whyOf(movement, texts)}</span>
      )}
      {isUndone && (
        <Badge shape="cross" tone="neutral">
          {movements.undone}
        </Badge>
      )}
      {alert !== null && (
        <Badge shape={alert === 'back' ? 'dot' : 'down'} tone={alert === 'back' ? 'success' : 'warning'}>
          {movements.alert[alert]}
        </Badge>
      )}
      {orderId !== null && (
        <Link href={`/orders/${orderId}`} className={styles.link}>
          {movements.order(String(orderId))}
        </Link>
      )}
      {revertedSequence !== null && (
        <span className={styles.detail}>{movements.undoes(String(revertedSequence))}</span>
      )}
      {note !== null && <span className={styles.detail}>{note}</span>}
      {isOfManyPets(movement) ? (
        <Link href={`/system/log?target=${referenceId}`} className={styles.link} title={referenceId ?? ''}>
          {movements.manyPets}
        </Link>
      ) : (
        <Reference id={referenceId} uri={referenceDocumentUri} />
      )}
    </span>
  );
}

const STOCKTAKE_ID = /^stk_\w{16}$/;
const IMPORT_ID = /^imp_\w{16}$/;

/** A document is a link only if it is a page of the web. */
function Reference({ id, uri }: { id: string | null; uri: string | null }) {
  const { movements } = useTexts();
  if (uri === null && id === null) return null;
  if (id !== null && STOCKTAKE_ID.test(id)) {
    return (
      <Link href={`/stocktakes/${id}`} className={styles.link} title={id}>
        {movements.stocktake}
      </Link>
    );
  }
  if (id !== null && IMPORT_ID.test(id)) {
    return (
      <Link href={`/imports/${id}`} className={styles.link} title={id}>
        {movements.importFile}
      </Link>
    );
  }
  const text = movements.reference(id ?? uri ?? '');
  const isPage = uri !== null && /^https?:\/\//i.test(uri) && URL.canParse(uri);
  if (!isPage) return <span className={styles.detail}>{text}</span>;
  return (
    <a href={uri} target="_blank" rel="noreferrer noopener" className={styles.link}>
      {text}
    </a>
  );
}

function UndoButton({ sequence, onUndo }: { sequence: number; onUndo: () => Promise<void> }) {
  const { app, movements } = useTexts();
  const [isBusy, setBusy] = useState(false);
  return (
    <Tooltip label={app.actions.undo}>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={styles.undo}
        aria-label={movements.undo(sequence)}
        loading={isBusy}
        onClick={() => {
          setBusy(true);
          void onUndo().finally(() => setBusy(false));
        }}
      >
        <IconArrowBackUp size={16} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  );
}

interface DayHeadingProps {
  readonly day: Date;
  /** Midnight of today, in the person's zone. */
  readonly todayMs: number;
}

/** The heading above the changes of a day, such as "Yesterday". */
function DayHeading({ day, todayMs }: DayHeadingProps) {
  const { movements } = useTexts();
  const isToday = day.getTime() >= todayMs;
  const isYesterday = !isToday && day.getTime() >= midnight(todayMs - 1);
  const name = useFormat().weekday(day);
  return <p className={styles.day}>{isToday ? movements.today : isYesterday ? movements.yesterday : name}</p>;
}
