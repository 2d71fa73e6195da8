import { Route, Switch } from 'wouter';
import { NotFound } from '../../components/states/not-found.tsx';
import { AccountPage } from './accounts/account-page.tsx';
import { AccountsPage } from './accounts/accounts-page.tsx';
import { BansPage } from './bans-page.tsx';
import { ApiKeysPage } from './keys/api-keys-page.tsx';
import { ManagementKeysPage } from './keys/management-keys-page.tsx';
import { SessionsPage } from './sessions-page.tsx';

export default function AccessPage() {
  return (
    <Switch>
      <Route path="/access">
        <AccountsPage />
      </Route>
      <Route path="/access/accounts/:accountId/:keyId?">
        {({ accountId, keyId }) => <AccountPage key={accountId} accountId={accountId} keyId={keyId} />}
      </Route>
      <Route path="/access/keys/:keyId?">{({ keyId }) => <ApiKeysPage keyId={keyId} />}</Route>
      <Route path="/access/management-keys/:keyId?">
        {({ keyId }) => <ManagementKeysPage keyId={keyId} />}
      </Route>
      <Route path="/access/bans">
        <BansPage />
      </Route>
      <Route path="/access/sessions">
        <SessionsPage />
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
