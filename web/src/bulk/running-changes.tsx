import { Button, Progress } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { BulkChange } from '../api/schemas.ts';
import { serviceNow } from '../api/service-clock.ts';
import { useMay, useSession } from '../session/session-context.tsx';
import { useErrorText, useFormat, useTexts } from '../texts/texts-context.tsx';
import { useToast } from '../components/toast/toast-provider.tsx';
import { actOnChange, isShownElsewhere, keysOf, ownChanges } from './bulk-api.ts';
import styles from './running-changes.module.css';
import { useNoteEnd } from './use-note-change.ts';

const KEY = 'running-changes';
const FOLLOW_MS = 1_000;
/** A page that was loaded again shows the result of a change that ended while it was loading. */
const RECENT_MS = 10_000;

const NO_KEYS: readonly string[] = [];

const isRunning = ({ state }: BulkChange): boolean => state === 'applying' || state === 'undoing';

/** Changes of many pets that the service applies or undoes for this person, and that no dialog of this tab shows. */
export function RunningChanges() {
  const session = useSession();
  const { keyId } = session;
  const maySee = useMay('staff');
  const queries = useQueryClient();
  const { data: keyIds = NO_KEYS } = useQuery({
    queryKey: [KEY, keyId, 'keys'],
    queryFn: ({ signal }) => keysOf(session, signal),
    enabled: maySee,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data } = useQuery({
    queryKey: [KEY, keyId],
    queryFn: ({ signal }) => ownChanges(keyIds, signal),
    enabled: maySee && keyIds.length > 0,
    staleTime: 0,
    // Another tab may have begun one, or a dialog that was left.
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? FOLLOW_MS : false),
  });
  useResults(data);
  const shown = data?.filter((change) => isRunning(change) && !isShownElsewhere(change.id)) ?? [];
  return (
    <div role="status">
      {shown.map((change) => (
        <RunningChange
          key={change.id}
          change={change}
          onStopped={() => void queries.invalidateQueries({ queryKey: [KEY] })}
        />
      ))}
    </div>
  );
}

/** Shows the result of each change that ran when this page began, or that the page has seen running. */
function useResults(changes: readonly BulkChange[] | undefined): void {
  const noteEnd = useNoteEnd();
  const open = useRef<Set<string>>(undefined);
  const look = useEffectEvent((all: readonly BulkChange[]) => {
    open.current ??= new Set(all.filter(isRecent).map(({ id }) => id));
    for (const change of all) {
      if (isShownElsewhere(change.id)) open.current.delete(change.id);
      else if (isRunning(change)) open.current.add(change.id);
      else if (open.current.delete(change.id)) noteEnd(change);
    }
  });
  useEffect(() => {
    if (changes) look(changes);
  }, [changes]);
}

/** Whether it ended while this document was loading. */
function isRecent({ updatedAt }: BulkChange): boolean {
  const loadingMs = Date.now() - performance.timeOrigin;
  return loadingMs < RECENT_MS && serviceNow() - Date.parse(updatedAt) < loadingMs;
}

interface Props {
  readonly change: BulkChange;
  readonly onStopped: () => void;
}

function RunningChange({ change, onStopped }: Props) {
  const { stock } = useTexts();
  const format = useFormat();
  const toast = useToast();
  const errorText = useErrorText();
  const { planned, changed, stale, undone, kept } = change.counts;
  const isUndo = change.state === 'undoing';
  const done = isUndo ? undone + kept : changed + stale;
  const total = done + (isUndo ? changed : planned);
  const text = isUndo ? stock.many.undoing : stock.many.applying;
  const stop = () =>
    actOnChange(change.id, 'cancel').then(onStopped, (error: unknown) =>
      toast.show({ message: errorText(error), isError: true }),
    );
  return (
    <div className={styles.bar}>
      <span className="number">{text(format.quantity(done), format.quantity(total))}</span>
      <Progress
        className={styles.progress}
        value={total === 0 ? 0 : (done / total) * 100}
        size={4}
        aria-label={stock.many.progress}
      />
      <Button size="compact-sm" variant="default" onClick={() => void stop()}>
        {stock.stop}
      </Button>
    </div>
  );
}
