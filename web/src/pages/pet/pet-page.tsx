import { Button, Skeleton } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { Link, useParams, useSearchParams } from 'wouter';
import { isApiError } from '../../api/api-error.ts';
import { useOfferedCommands } from '../../components/commands.ts';
import { useHotkeys } from '../../components/hotkeys/hotkey-provider.tsx';
import { MovementList } from '../../components/movements/movement-list.tsx';
import { useMovementFeed } from '../../components/movements/use-movement-feed.ts';
import { EDIT_PARAMETER, editPlace } from '../../components/pets/edit-draft.ts';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { useReorder } from '../../components/reorder.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { NotFound } from '../../components/states/not-found.tsx';
import { PageSkeleton } from '../../components/states/page-skeleton.tsx';
import { useThresholds } from '../../components/use-thresholds.ts';
import { detailEdits, withDetails } from '../../counts/detail-edits.ts';
import { useCounts } from '../../counts/use-counts.ts';
import { IconArchive } from '../../icons/icons.tsx';
import { WaitingDraft } from '../../drafts/draft-note.tsx';
import { useKeptDraft } from '../../drafts/use-draft.ts';
import { useMay, usePersonId } from '../../session/session-context.tsx';
import { useKept, useStock, useStockList } from '../../stock/stock-provider.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { AdjustPetDialog } from './adjust-pet-dialog.tsx';
import styles from './archived-banner.module.css';
import { ChartPanel } from './chart-panel.tsx';
import { DeletePetDialog } from './delete-pet-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { PetActions } from './pet-actions.tsx';
import { type Pet, petOfRow, usePet } from './pet-api.ts';
import { PetCodes } from './pet-codes.tsx';
import { PetFacts, thresholdsOf } from './pet-facts.tsx';
import { PetReorder } from './pet-reorder.tsx';
import { PetDecisions, PetWaiting } from './pet-waiting.tsx';
import { adjustPlace } from './use-adjust-pet.ts';

export default function PetPage() {
  const { petId = '' } = useParams();
  const { pet: texts } = useTexts();
  const { data, error, refetch, reload } = usePet(petId);
  const isUnreached = !data && isApiError(error, 'offline');
  const { store } = useStock(isUnreached);
  const { snapshot } = useStockList('pet');
  // The list of the stock, which the browser keeps for the time without a connection.
  const row = isUnreached ? store.find(petId) : undefined;
  const pet = data ?? (row && petOfRow(row));
  if (isApiError(error, 'not_found')) return <NotFound title={texts.none} hint={texts.noneHint} />;
  if (isApiError(error, 'invalid_parameter')) return <NotFound />;
  if (pet) return <PetView key={petId} pet={pet} onReload={reload} />;
  const isListRead = snapshot.isComplete || snapshot.error !== undefined;
  if (error && (!isUnreached || isListRead))
    return <ErrorState error={error} onRetry={() => void refetch()} isWholePage />;
  return <PageSkeleton />;
}

function PetView({ pet: stored, onReload }: { pet: Pet; onReload: () => Promise<unknown> }) {
  const { pet: texts, shared, app } = useTexts();
  const counts = useCounts();
  const personId = usePersonId();
  const edits = useMemo(
    () => detailEdits(counts, personId).get(stored.petId),
    [counts, personId, stored.petId],
  );
  const pet = withDetails(stored, edits);
  const [dialog, setDialog] = useState<'adjust' | 'edit' | 'delete'>();
  const mayChange = useMay('staff');
  useFormOfAddress(() => setDialog('edit'));
  const feed = useMovementFeed({ petId: pet.petId });
  const { data: defaults } = useThresholds();
  const reorder = useReorder(pet.petId, pet.version);
  const { current: stockSearch } = useKept('stock-address', () => ({ current: '' }));
  const stockAddress = stockSearch === '' ? '/stock' : `/stock?${stockSearch}`;
  const name = pet.name ?? shared.unnamed(pet.petId);

  const [newest] = feed.movements;
  const isUnused = newest?.statusBefore === null;

  const open = (which: 'adjust' | 'edit') => () => (mayChange ? setDialog(which) : false);
  const actions = [
    { keys: 'e', label: texts.keys.adjust, run: open('adjust') },
    { keys: 'd', label: texts.keys.edit, run: open('edit') },
  ];
  useHotkeys(texts.keys.title, mayChange ? actions : []);
  useOfferedCommands(mayChange ? actions.map((action) => ({ ...action, run: () => void action.run() })) : []);

  const dialogProps = { pet, name, latest: feed.movements[0], onReload, onClose: () => setDialog(undefined) };
  return (
    <>
      <PageHeader
        title={name}
        parent={{ href: stockAddress, label: app.pages.stock }}
        facts={`${texts.id(pet.petId)} · ${pet.category ?? shared.noCategory}`}
        actions={
          <PetActions
            pet={pet}
            name={name}
            onAdjust={open('adjust')}
            onEdit={open('edit')}
            onDelete={isUnused ? () => setDialog('delete') : undefined}
            onReload={onReload}
          />
        }
      />
      <PageBody>
        {pet.archivedAt !== null && <ArchivedBanner at={pet.archivedAt} />}
        {dialog === undefined && mayChange && (
          <PetDrafts
            petId={pet.petId}
            onAdjust={() => setDialog('adjust')}
            onEdit={() => setDialog('edit')}
          />
        )}
        <PetDecisions petId={pet.petId} />
        <PetWaiting edits={edits} />
        <PetFacts pet={pet} name={name} defaults={defaults} onReload={onReload} />
        {reorder && <PetReorder reorder={reorder} />}
        <PetCodes sku={pet.sku} barcodes={pet.barcodes} />
        <ChartPanel pet={pet} newest={feed.movements} lowStockAt={thresholdsOf(pet, defaults).lowStockAt} />
        <PetMovements petId={pet.petId} name={name} feed={feed} />
      </PageBody>
      {dialog === 'adjust' && <AdjustPetDialog {...dialogProps} outstanding={reorder?.outstanding ?? 0} />}
      {dialog === 'delete' && (
        <DeletePetDialog
          petId={pet.petId}
          name={name}
          stockAddress={stockAddress}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'edit' && <EditDialog {...dialogProps} defaults={defaults} />}
    </>
  );
}

/** Opens the form if the address says so, such as for an edit that was refused. */
function useFormOfAddress(open: () => void): void {
  const [search, setSearch] = useSearchParams();
  const isWanted = search.has(EDIT_PARAMETER);
  useEffect(() => {
    if (!isWanted) return;
    open();
    const rest = (before: URLSearchParams) => {
      const next = new URLSearchParams(before);
      next.delete(EDIT_PARAMETER);
      return next;
    };
    setSearch(rest, { replace: true });
  }, [isWanted]);
}

interface DraftsProps {
  readonly petId: string;
  readonly onAdjust: () => void;
  readonly onEdit: () => void;
}

/** What was typed for the pet and not sent, such as before a reload. */
function PetDrafts({ petId, onAdjust, onEdit }: DraftsProps) {
  const { pet } = useTexts();
  const adjustment = useKeptDraft(adjustPlace(petId));
  const edit = useKeptDraft(editPlace(petId));
  return (
    <>
      <WaitingDraft {...adjustment} what={pet.draftAdjustment} onOpen={onAdjust} />
      <WaitingDraft {...edit} what={pet.draftEdit} onOpen={onEdit} />
    </>
  );
}

function ArchivedBanner({ at }: { at: string }) {
  const { pet } = useTexts();
  return (
    <p className={styles.banner}>
      <IconArchive size={16} stroke={1.75} aria-hidden />
      <span>
        {pet.archivedBanner} {pet.archivedAt} <RelativeTime at={at} />.
      </span>
    </p>
  );
}

interface Props {
  readonly petId: string;
  readonly name: string;
  readonly feed: ReturnType<typeof useMovementFeed>;
}

/** All changes of the pet, newest first. */
function PetMovements({ petId, name, feed }: Props) {
  const { pet, movements: texts } = useTexts();
  const { movements, readUntil, isLoading, error, retry, more, isLoadingMore } = feed;
  return (
    <section className={styles.movements} aria-labelledby="pet-movements">
      <div className={styles.head}>
        <h2 id="pet-movements">{pet.movements}</h2>
        <Button component={Link} href={`/activity?petId=${petId}`} variant="subtle" size="compact-sm">
          {pet.allActivity}
        </Button>
      </div>
      {error && movements.length === 0 ? (
        <ErrorState error={error} onRetry={retry} />
      ) : isLoading ? (
        <Skeleton height={220} />
      ) : (
        <MovementList label={pet.movements} movements={movements} freshAfter={readUntil} petName={name} />
      )}
      {more && (
        <Button variant="default" onClick={more} loading={isLoadingMore}>
          {texts.older}
        </Button>
      )}
    </section>
  );
}
