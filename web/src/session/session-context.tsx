import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import { ApiError, isApiError } from '../api/api-error.ts';
import { handleSignedOut } from '../api/client.ts';
import type { Role } from '../api/schemas.ts';
import { useToast } from '../components/toast/toast-provider.tsx';
import { countQueue } from '../counts/use-counts.ts';
import { movementStream } from '../live/use-live.ts';
import { isSamePerson, keepSession, keptSession, personOf, SESSION } from '../offline/kept-session.ts';
import { forgetDrafts, forgetShop, keptPersonId } from '../offline/kept-shop.ts';
import { useTexts } from '../texts/texts-context.tsx';
import { isSignOutOpen, readSession, type Session, SIGNED_OUT, tellSignOut } from './session-api.ts';

export const SIGN_IN_PATH = '/sign-in';
/** Between two attempts to read the session without a connection. */
const RETRY_MS = 5_000;
/** The longest wait for the session where the pages can open with the one of the last visit. */
const KEPT_WAIT_MS = 4_000;
const RANKS: Readonly<Record<Role, number>> = { viewer: 0, staff: 1, administrator: 2 };

interface SessionState {
  /** `undefined` while it is not known yet, `null` without a session. */
  readonly session: Session | null | undefined;
  /** A session that ended while its pages were open. They wait for its person, with all that is typed in them. */
  readonly paused: Session | undefined;
  readonly error: unknown;
  /** Changes when another person signs in, and when the service has another ledger, so that no earlier page stays. */
  readonly page: string;
  begin(session: Session): void;
  /** The person signs out. */
  end(): void;
  retry(): void;
}

const SessionContext = createContext<SessionState | undefined>(undefined);

/** Reads the session once, and leads to the sign-in page when there is none or when it ends. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<Session | null>();
  const [paused, setPaused] = useState<Session>();
  const pause = useRef<Pause>(undefined);
  const current = useRef(session);
  current.current = session;
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const { clear } = useToast();
  const ledger = useLedger();
  const [visits, setVisits] = useState(0);
  /** Counts sign-ins and sign-outs of this page: a session that was asked for before is no longer the one of the browser. */
  const turns = useRef(0);

  /** Nothing of the shop stays for the next person. */
  const forget = useCallback(() => {
    movementStream.stop();
    queries.clear();
    clear();
  }, [queries, clear]);

  const leave = useCallback(() => {
    pause.current?.end(false);
    pause.current = undefined;
    setPaused(undefined);
    forget();
    forgetShop();
    setSession(null);
    const here = location.pathname + location.search;
    if (location.pathname === SIGN_IN_PATH) return;
    navigate(here === '/' ? SIGN_IN_PATH : `${SIGN_IN_PATH}?next=${encodeURIComponent(here)}`);
  }, [navigate, forget]);

  const begin = useCallback(
    (given: Session) => {
      const kept = keptSession();
      if (!kept || !isSamePerson(kept, given)) forgetShop();
      // An instance of the release before does not name the person, whom this browser knows.
      const next = kept?.keyId === given.keyId ? { ...kept, ...given } : given;
      forgetDrafts(next);
      countQueue.move(next.keyId, personOf(next));
      countQueue.endSettled(personOf(next));
      keepSession(next);
      // The service confirms a session that began without a connection, or the person has a new key in another tab.
      if (current.current && isSamePerson(current.current, next)) return setSession(next);
      const isBack = pause.current !== undefined && isSamePerson(pause.current.session, next);
      if (isBack) void queries.invalidateQueries();
      else {
        forget();
        setVisits((count) => count + 1);
      }
      setPaused(undefined);
      setSession(next);
      movementStream.start();
      pause.current?.end(isBack);
      pause.current = undefined;
    },
    [queries, forget],
  );

  const signIn = useCallback(
    (given: Session) => {
      turns.current += 1;
      begin(given);
    },
    [begin],
  );

  const endHere = useCallback(() => {
    turns.current += 1;
    forgetDrafts();
    countQueue.endSettled();
    leave();
  }, [leave]);

  const signOut = useCallback(() => {
    endHere();
    tellSignOut();
  }, [endHere]);

  const onSignOutElsewhere = useCallback(() => {
    if (current.current === null && !pause.current) return;
    // A session that is being read is perhaps the one that has ended. A tab that the browser had stopped hears of it late:
    // somebody has signed in since, whose drafts stay.
    if (current.current === undefined || keptPersonId() !== undefined) retry();
    else endHere();
  }, [endHere, retry]);

  const onSignedOut = useCallback(async () => {
    const ended = current.current;
    if (pause.current) return pause.current.ended;
    if (!ended) {
      leave();
      return false;
    }
    // The person has signed out, and the response of that comes after this one.
    if (isSignOutOpen()) return false;
    movementStream.pause();
    setPaused(ended);
    setSession(null);
    pause.current = newPause(ended, leave);
    return pause.current.ended;
  }, [leave]);

  useEffect(() => {
    handleSignedOut(onSignedOut);
    // The cookie may still have the session of a person who has signed out. While the page shows that session, the request of
    // its sign-out is under way, which ends it here.
    if (isSignOutOpen()) {
      if (!current.current || keptPersonId() === undefined) endHere();
      return;
    }
    if (attempt === 0) {
      // A link to sign in replaces a session, so its page reads none.
      if (location.pathname === SIGN_IN_PATH && location.hash !== '') return setSession(null);
      // The browser would log the refusal of a request that no session can have.
      if (hasNoSession()) return leave();
    }
    const turn = turns.current;
    let isLatest = true;
    const isOld = () => !isLatest || turns.current !== turn || isSignOutOpen();
    readSession(keptSession() && KEPT_WAIT_MS).then(
      (read) => {
        if (isOld()) return;
        setError(undefined);
        begin(read);
      },
      (failure: unknown) => {
        if (isOld()) return;
        if (isApiError(failure) && failure.status === 401) leave();
        else {
          setError(failure);
          const kept = isTemporary(failure) ? keptSession() : undefined;
          if (!kept || current.current !== undefined) return;
          setSession(kept);
          movementStream.start();
        }
      },
    );
    return () => {
      isLatest = false;
    };
  }, [begin, leave, endHere, onSignedOut, attempt]);

  useSignOutElsewhere(onSignOutElsewhere);
  useRetries(error, retry);
  useOtherSession(
    useCallback(() => current.current ?? pause.current?.session, []),
    retry,
  );

  const state = useMemo(
    () => ({ session, paused, error, page: `${visits} ${ledger}`, begin: signIn, end: signOut, retry }),
    [session, paused, error, visits, ledger, signIn, signOut, retry],
  );
  return <SessionContext value={state}>{children}</SessionContext>;
}

/** Tries again after a temporary error: soon, and as soon as there is a connection. */
function useRetries(error: unknown, retry: () => void): void {
  useEffect(() => {
    if (!isTemporary(error)) return;
    const timer = setTimeout(retry, RETRY_MS);
    window.addEventListener('online', retry);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', retry);
    };
  }, [error, retry]);
}

/** Counts the ledgers of the service, and drops what the pages have of an earlier one. */
function useLedger(): number {
  const [ledger, setLedger] = useState(0);
  const queries = useQueryClient();
  const { show } = useToast();
  const { restored } = useTexts().app;
  useEffect(
    () =>
      movementStream.subscribe({
        onOtherLedger: () => {
          queries.clear();
          setLedger((count) => count + 1);
          show({ message: restored, isError: true });
        },
      }),
    [queries, show, restored],
  );
  return ledger;
}

/** Notices a sign-in with another key in another tab, which has changed the session of this one. */
function useOtherSession(findOwn: () => Session | undefined, onOther: () => void): void {
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      const own = findOwn();
      const kept = key === SESSION ? keptSession() : undefined;
      if (own && kept && (own.keyId !== kept.keyId || personOf(own) !== personOf(kept))) onOther();
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [findOwn, onOther]);
}

/** Notices that the person signs out in another tab. */
function useSignOutElsewhere(onSignOut: () => void): void {
  useEffect(() => {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === SIGNED_OUT && newValue !== null) onSignOut();
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [onSignOut]);
}

const isTemporary = (error: unknown): boolean => error instanceof ApiError && error.isTemporary;

/** Whether the service knew, when it sent this page, that the browser has no session. */
function hasNoSession(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="session"]')?.content === 'none';
}

export function useSessionState(): SessionState {
  const state = useContext(SessionContext);
  if (!state) throw new Error('useSessionState needs a SessionProvider above it.');
  return state;
}

/** The session of a page behind the sign-in. */
export function useSession(): Session {
  const { session: running, paused } = useSessionState();
  const session = running ?? paused;
  if (!session) throw new Error('Only pages behind the sign-in have a session.');
  return session;
}

/** The person of the session: what the browser keeps is theirs, also after a rotation of their key. */
export const usePersonId = (): string => personOf(useSession());

/** Whether the person may do what the role may do. */
export function useMay(role: Role): boolean {
  return RANKS[useSession().role] >= RANKS[role];
}

/** After a pause of this length nothing of the shop stays in the tab. */
const MAX_PAUSE_MS = 900_000;

/** The time between the end of a session and the next sign-in, while the pages wait. */
interface Pause {
  readonly session: Session;
  /** Whether the same person signed in again. */
  readonly ended: Promise<boolean>;
  end(isBack: boolean): void;
}

function newPause(session: Session, onTooLong: () => void): Pause {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(onTooLong, MAX_PAUSE_MS);
  const end = (isBack: boolean) => {
    clearTimeout(timer);
    resolve(isBack);
  };
  return { session, ended: promise, end };
}
