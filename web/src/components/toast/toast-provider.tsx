import { Button, CloseButton } from '@mantine/core';
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
import { isApiError } from '../../api/api-error.ts';
import { useErrorText, useFormat, useTexts } from '../../texts/texts-context.tsx';
import { useHotkeys } from '../hotkeys/hotkey-provider.tsx';
import { KeyCaps } from '../hotkeys/key-caps.tsx';
import { PartlyUndone } from './partly-undone.ts';
import styles from './toast.module.css';

interface Toast {
  readonly message: string;
  /** Reverts what the message says. Ctrl-Z and `u` call it while the toast shows. It throws if that fails. */
  readonly undo?: () => Promise<void>;
  /** An error stays until it is closed. */
  readonly isError?: boolean;
}

interface ToastState {
  show(toast: Toast): void;
  clear(): void;
}

const SHOWN_MS = 6_000;
const ToastContext = createContext<ToastState | undefined>(undefined);

/** One toast at a time, at the bottom left. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const texts = useTexts();
  const { app } = texts;
  const format = useFormat();
  const errorText = useErrorText();
  const [toast, setToast] = useState<Toast>();
  const [isHeld, setHeld] = useState(false);
  const [isUndoing, setUndoing] = useState(false);
  const current = useRef(toast);
  current.current = toast;
  const state = useMemo<ToastState>(() => ({ show: setToast, clear: () => setToast(undefined) }), []);

  const undo = useCallback(async () => {
    const undone = current.current;
    if (!undone?.undo) return;
    setUndoing(true);
    try {
      await undone.undo();
      if (current.current === undone) setToast({ message: app.undone });
    } catch (error) {
      const isPartly = error instanceof PartlyUndone;
      const cause = isPartly ? error.cause : error;
      const why = isApiError(cause, 'offline') ? undefined : errorText(cause);
      const message = isPartly
        ? error.text(texts, format, why)
        : why === undefined
          ? app.undoUnanswered
          : app.undoFailed(why);
      setToast({ message, isError: true });
    } finally {
      setUndoing(false);
    }
  }, [texts, app, format, errorText]);

  useEffect(() => {
    if (!toast || toast.isError || isHeld || isUndoing) return;
    const timer = setTimeout(() => setToast(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast, isHeld, isUndoing]);

  const run = () => (toast?.undo && !isUndoing ? void undo() : false);
  useHotkeys(app.keys.general, [
    { keys: 'Mod+z', label: app.keys.undo, run },
    { keys: 'u', run },
  ]);

  return (
    <ToastContext value={state}>
      {children}
      <div className={styles.region} role={toast?.isError ? 'alert' : 'status'}>
        {toast && (
          <div
            className={styles.toast}
            data-error={toast.isError || undefined}
            onPointerEnter={() => setHeld(true)}
            onPointerLeave={() => setHeld(false)}
          >
            <span className={styles.message}>{toast.message}</span>
            {toast.undo && (
              <Button
                variant="subtle"
                size="compact-sm"
                className={styles.action}
                loading={isUndoing}
                onClick={() => void undo()}
                rightSection={<KeyCaps keys="Mod+z" />}
              >
                {app.actions.undo}
              </Button>
            )}
            <CloseButton size="sm" className={styles.action} onClick={() => setToast(undefined)} />
          </div>
        )}
      </div>
    </ToastContext>
  );
}

export function useToast(): ToastState {
  const state = useContext(ToastContext);
  if (!state) throw new Error('A toast needs a ToastProvider above it.');
  return state;
}
