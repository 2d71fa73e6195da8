import { useEffect, useState } from 'react';
import { finishSignOut, isSignOutOpen } from './session-api.ts';

/** Between two attempts to reach the service. */
const RETRY_MS = 5_000;

/** Whether the service has not confirmed a sign-out yet, which this page sends again until it has. */
export function useOpenSignOut(): boolean {
  const [isOpen, setOpen] = useState(isSignOutOpen);
  useEffect(() => {
    if (!isOpen) return;
    const send = () =>
      void finishSignOut().then(
        () => setOpen(false),
        () => {},
      );
    send();
    const timer = setInterval(send, RETRY_MS);
    window.addEventListener('online', send);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', send);
    };
  }, [isOpen]);
  return isOpen;
}
