import { IconHammer } from '@tabler/icons-react';
import { PageHeader } from '../../components/page/page-header.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { useTexts } from '../../texts/texts-context.tsx';

export default function ActivityPage() {
  const { app } = useTexts();
  return (
    <>
      <PageHeader title={app.pages.activity} />
      <EmptyState icon={IconHammer} title={app.states.comingSoon} />
    </>
  );
}
