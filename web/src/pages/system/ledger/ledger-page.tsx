import { useTexts } from '../../../texts/texts-context.tsx';
import { SystemFrame } from '../system-frame.tsx';
import { PrunePanel } from './prune-panel.tsx';
import { VerifyPanel } from './verify-panel.tsx';

export function LedgerPage() {
  const { system } = useTexts();
  return (
    <SystemFrame facts={system.ledgerFacts}>
      <VerifyPanel />
      <PrunePanel />
    </SystemFrame>
  );
}
