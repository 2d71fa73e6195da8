import { Button } from '@mantine/core';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useHotkeys } from '../../components/hotkeys/hotkey-provider.tsx';
import { MovementList } from '../../components/movements/movement-list.tsx';
import { useMovementFeed } from '../../components/movements/use-movement-feed.ts';
import { usePetNames } from '../../components/movements/use-pet-names.ts';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { MoreOnPaper } from '../../components/records/more-on-paper.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { PageSkeleton } from '../../components/states/page-skeleton.tsx';
import { IconArrowUp, IconFilterOff, IconHistory } from '../../icons/icons.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './activity.module.css';
import { FILTER_FIELDS, movementFilter, useActivityFilter } from './activity-filter.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { ExportMenu } from './export-menu.tsx';

export default function ActivityPage() {
  const { activity, app } = useTexts();
  const format = useFormat();
  const { filter, choose } = useActivityFilter();
  const query = useMemo(() => movementFilter(filter), [filter]);
  const { movements, readUntil, error, isLoading, retry, more, isLoadingMore } = useMovementFeed(query);
  const petNames = usePetNames(movements);

  const [top, isAtTop] = useInView<HTMLDivElement>(true);
  const [bottom, isAtBottom] = useInView<HTMLDivElement>(false);
  const shownUntil = useShownUntil(movements[0]?.sequence ?? 0, isAtTop);
  const shown = useMemo(
    () => movements.filter(({ sequence }) => sequence <= shownUntil),
    [movements, shownUntil],
  );
  const isUnread = isLoading || (error !== undefined && movements.length === 0);
  const fresh = movements.length - shown.length;
  useEffect(() => {
    if (isAtBottom && more && !isLoadingMore && movements.length > 0) more();
  }, [isAtBottom, more, isLoadingMore, movements.length]);
  const toTop = () => top.current?.scrollIntoView();
  useHotkeys(activity.keys.title, [{ keys: 'n', label: activity.keys.newest, run: toTop }]);

  return (
    <>
      <div ref={top} data-holds={!isAtTop || undefined} />
      <PageHeader
        title={app.pages.activity}
        facts={isUnread ? undefined : activity.facts(format.count(shown.length))}
        actions={<ExportMenu filter={query} />}
      />
      <PageBody>
        <ActivityFilters filter={filter} petNames={petNames} onChange={choose} />
        {fresh > 0 && (
          <div className={styles.fresh} role="status">
            <Button
              size="compact-md"
              radius="xl"
              leftSection={<IconArrowUp size={14} stroke={2} />}
              onClick={toTop}
              title={activity.paused}
            >
              {activity.fresh(format.count(fresh))}
            </Button>
          </div>
        )}
        {error && movements.length === 0 ? (
          <ErrorState error={error} onRetry={retry} />
        ) : isLoading ? (
          <PageSkeleton isPart />
        ) : movements.length === 0 && !more ? (
          <Nothing fields={FILTER_FIELDS.filter((field) => filter[field])} onClear={() => choose({})} />
        ) : (
          <MovementList label={activity.list} movements={shown} freshAfter={readUntil} petNames={petNames} />
        )}
        {more && <MoreOnPaper count={shown.length} />}
        <OlderButton more={more} isLoading={isLoadingMore} />
        <div ref={bottom} />
      </PageBody>
    </>
  );
}

function OlderButton({ more, isLoading }: { more: (() => void) | undefined; isLoading: boolean }) {
  const { movements } = useTexts();
  if (!more) return null;
  return (
    <Button variant="default" onClick={more} loading={isLoading}>
      {movements.older}
    </Button>
  );
}

type Fields = readonly (typeof FILTER_FIELDS)[number][];

function Nothing({ fields, onClear }: { fields: Fields; onClear: () => void }) {
  const { activity, app } = useTexts();
  if (fields.length === 0) {
    return (
      <EmptyState icon={IconHistory} title={activity.empty}>
        {activity.emptyHint}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconFilterOff}
      title={activity.noMatch}
      actions={
        <Button variant="default" onClick={onClear}>
          {app.filters.clear}
        </Button>
      }
    >
      {activity.noMatchHint(fields.map((field) => activity.fields[field]).join(', '))}
    </EmptyState>
  );
}

/** Whether an element is in view; `isFirst` until that is known. */
function useInView<E extends Element>(isFirst: boolean): readonly [RefObject<E | null>, boolean] {
  const element = useRef<E>(null);
  const [isInView, setInView] = useState(isFirst);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? true));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, isInView];
}

/** The newest sequence that is shown: it stays while the person reads older ones, and follows at the top. */
function useShownUntil(newest: number, isAtTop: boolean): number {
  const [held, setHeld] = useState<number>();
  if (isAtTop && held !== undefined) setHeld(undefined);
  if (!isAtTop && held === undefined && newest > 0) setHeld(newest);
  return isAtTop ? newest : (held ?? newest);
}
