import { Route, Switch } from 'wouter';
import { NotFound } from '../../components/states/not-found.tsx';
import { FactsPage } from './facts/facts-page.tsx';
import { LedgerPage } from './ledger/ledger-page.tsx';
import { LogPage } from './log/log-page.tsx';

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
