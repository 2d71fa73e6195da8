import { useState } from 'react';
import { useParams } from 'wouter';
import { isApiError } from '../../api/api-error.ts';
import { useOfferedCommands } from '../../components/commands.ts';
import { useHotkeys } from '../../components/hotkeys/hotkey-provider.tsx';
import { useMovementFeed } from '../../components/movements/use-movement-feed.ts';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { NotFound } from '../../components/states/not-found.tsx';
import { PageSkeleton } from '../../components/states/page-skeleton.tsx';
import { useMay } from '../../session/session-context.tsx';
import { useKept } from '../../stock/stock-provider.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { AdjustPetDialog } from './adjust-pet-dialog.tsx';
import { ArchivedBanner } from './archived-banner.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { PetActions } from './pet-actions.tsx';
import { type Pet, useDefaultThresholds, usePet } from './pet-api.ts';
import { PetFacts, thresholdsOf } from './pet-facts.tsx';
import { PetMovements } from './pet-movements.tsx';

export default function PetPage() {
  const { petId = '' } = useParams();
  const { data: pet, error, refetch, reload } = usePet(petId);
  if (isApiError(error, 'not_found', 'invalid_parameter')) return <NotFound />;
  if (pet) return <PetView key={petId} pet={pet} onReload={reload} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <PageSkeleton />;
}

function PetView({ pet, onReload }: { pet: Pet; onReload: () => Promise<unknown> }) {
  const { pet: texts, shared, app } = useTexts();
  const [dialog, setDialog] = useState<'adjust' | 'edit'>();
  const mayChange = useMay('staff');
  const feed = useMovementFeed({ petId: pet.petId });
  const { data: defaults } = useDefaultThresholds();
  const { current: stockSearch } = useKept('stock-address', () => ({ current: '' }));
  const stockAddress = stockSearch === '' ? '/stock' : `/stock?${stockSearch}`;
  const name = pet.name ?? shared.unnamed(pet.petId);

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
            onReload={onReload}
          />
        }
      />
      <PageBody>
        {pet.archivedAt !== null && <ArchivedBanner at={pet.archivedAt} />}
        <PetFacts pet={pet} name={name} defaults={defaults} onReload={onReload} />
        <ChartPanel pet={pet} newest={feed.movements} lowStockAt={thresholdsOf(pet, defaults).lowStockAt} />
        <PetMovements petId={pet.petId} name={name} feed={feed} />
      </PageBody>
      {dialog === 'adjust' && <AdjustPetDialog {...dialogProps} />}
      {dialog === 'edit' && <EditDialog {...dialogProps} defaults={defaults} />}
    </>
  );
}
