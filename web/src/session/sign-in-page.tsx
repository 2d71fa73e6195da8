import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../api/api-error.ts';
import { Logo } from '../components/logo.tsx';
import { drafts } from '../drafts/drafts.ts';
import { endFirstRows } from '../first-rows/end-first-rows.ts';
import { useErrorText, useTexts } from '../texts/texts-context.tsx';
import { type Credential, type Session, signIn } from './session-api.ts';
import { SIGN_IN_PATH, useSessionState } from './session-context.tsx';
import styles from './sign-in-page.module.css';
import { useOpenSignOut } from './use-open-sign-out.ts';

/** Signs in with a key, or with the code of a link: `/sign-in#code=…`. A fragment is not sent to any server. */
export function SignInPage() {
  const { begin, paused } = useSessionState();
  const [, navigate] = useLocation();
  const { app } = useTexts();
  const errorText = useErrorText();
  const [code, setCode] = useState(readCode);
  const [hasDrafts] = useState(() => drafts.hasAny());
  const isAsked = code !== undefined && hasDrafts;
  const [isBusy, setBusy] = useState(code !== undefined && !hasDrafts);
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const isSignOutOpen = useOpenSignOut();
  useLayoutEffect(endFirstRows, []);

  const attempt = async (credential: Credential, refusal: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      finish(await signIn(credential));
    } catch (error) {
      setProblem(error instanceof ApiError && error.status === 401 ? refusal : errorText(error));
      setBusy(false);
    }
  };
  const finish = (session: Session) => {
    begin(session);
    if (location.pathname === SIGN_IN_PATH) navigate(nextPage(), { replace: true });
  };

  // A code works once, so it must not be sent twice when React mounts the page again.
  const sent = useRef<string>(undefined);
  const follow = (link: string) => {
    if (sent.current === link) return;
    sent.current = link;
    setCode(undefined);
    history.replaceState(null, '', location.pathname + location.search);
    void attempt({ code: link }, app.signIn.linkUsed);
  };
  useEffect(() => {
    if (code !== undefined && !isAsked) follow(code);
  });
  // A link that is opened in the tab with this page changes the fragment alone.
  useEffect(() => {
    const onHashChange = () => {
      sent.current = undefined;
      setCode(readCode);
    };
    window.addEventListener('hashchange', onHashChange);
    return () => window.removeEventListener('hashchange', onHashChange);
  }, []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get('key') ?? '').trim();
    if (key !== '') void attempt({ key }, app.signIn.refused);
  };

  return (
    <main className={styles.page}>
      <form className={styles.card} onSubmit={submit} aria-labelledby={`${id}-title`}>
        <div className={styles.brand}>
          <Logo />
          {app.shop}
        </div>
        <h1 id={`${id}-title`} className={styles.title}>
          {app.signIn.title}
        </h1>
        {isAsked ? (
          <>
            <p className={styles.intro}>{app.signIn.linkDrafts}</p>
            <Button size="md" fullWidth onClick={() => follow(code)} data-autofocus>
              {app.signIn.useLink}
            </Button>
            {/* The page reads the session that the browser may have, and keeps what was typed. */}
            <Button size="md" fullWidth variant="default" onClick={() => location.replace(nextPage())}>
              {app.signIn.leaveLink}
            </Button>
          </>
        ) : (
          <>
            <p role="status" className={styles.intro}>
              {isSignOutOpen
                ? app.signIn.openSignOut
                : nextPage() === '/' && !paused
                  ? app.signIn.intro
                  : app.signIn.ended}
            </p>
            {hasDrafts && <p className={styles.intro}>{app.signIn.drafts}</p>}
            <PasswordInput
              name="key"
              label={app.signIn.key}
              description={app.signIn.keyHint}
              placeholder="psa_…"
              autoComplete="off"
              spellCheck={false}
              size="md"
              required
              withAsterisk={false}
              data-autofocus
              disabled={isBusy}
            />
            {problem !== undefined && (
              <p role="alert" className={styles.problem}>
                {problem}
              </p>
            )}
            <Button type="submit" size="md" fullWidth loading={isBusy}>
              {app.signIn.action}
            </Button>
          </>
        )}
      </form>
    </main>
  );
}

function readCode(): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get('code') ?? undefined;
}

/** The page to return to; only a path of this dashboard. */
function nextPage(): string {
  const next = new URLSearchParams(location.search).get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
}
