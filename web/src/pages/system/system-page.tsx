import { Route, Switch } from 'wouter';
import { NotFound } from '../../components/states/not-found.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { FactsPage } from './facts/facts-page.tsx';
import { PrunePanel } from './ledger/prune-panel.tsx';
import { VerifyPanel } from './ledger/verify-panel.tsx';
import { LogPage } from './log/log-page.tsx';
import { SystemFrame } from './system-frame.tsx';

export default function SystemPage() {
  return (
    <Switch>
      <Route path="/system">
        <FactsPage />
      </Route>
      <Route path="/system/ledger">
        <LedgerPage />
      </Route>
      <Route path="/system/log">
        <LogPage />
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

function LedgerPage() {
  const { system } = useTexts();
  return (
    <SystemFrame facts={system.ledgerFacts}>
      <VerifyPanel />
      <PrunePanel />
    </SystemFrame>
  );
}
