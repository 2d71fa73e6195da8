import { Activity, type ReactNode, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import type { Role } from '../api/schemas.ts';
import { ErrorBoundary } from '../components/states/error-boundary.tsx';
import { ErrorState } from '../components/states/error-state.tsx';
import { NoPermission } from '../components/states/no-permission.tsx';
import { NotFound } from '../components/states/not-found.tsx';
import { PageSkeleton } from '../components/states/page-skeleton.tsx';
import { SIGN_IN_PATH, useMay, useSessionState } from '../session/session-context.tsx';
import { SignInPage } from '../session/sign-in-page.tsx';
import { StockProvider } from '../stock/stock-provider.tsx';
import { PAGES } from './pages.ts';
import { Shell } from './shell/shell.tsx';

export function Routes() {
  const { session, paused, error, page, retry } = useSessionState();
  const [path] = useLocation();
  if (path === SIGN_IN_PATH) return <SignInPage />;
  const shown = session ?? paused;
  if (shown)
    return (
      <>
        <Activity key={page} mode={session ? 'visible' : 'hidden'}>
          <StockProvider>
            <SignedIn />
          </StockProvider>
        </Activity>
        {!session && <SignInPage />}
      </>
    );
  if (error !== undefined) return <ErrorState error={error} onRetry={retry} isWholePage />;
  return null;
}

function SignedIn() {
  const [path] = useLocation();
  return (
    <Shell>
      <ErrorBoundary resetKey={path}>
        <Suspense fallback={<PageSkeleton />}>
          <Switch>
            {PAGES.map(({ path: pattern, component: Page, role }) => (
              <Route key={pattern} path={pattern}>
                {role ? (
                  <RequireRole role={role}>
                    <Page />
                  </RequireRole>
                ) : (
                  <Page />
                )}
              </Route>
            ))}
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </Shell>
  );
}

/** Shows its content only to those who have the role. */
function RequireRole({ role, children }: { role: Role; children: ReactNode }) {
  return useMay(role) ? children : <NoPermission role={role} />;
}
