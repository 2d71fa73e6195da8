import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { keptPersonId } from '../offline/kept-shop.ts';
import { usePersonId } from '../session/session-context.tsx';
import { draftKey, drafts } from './drafts.ts';

interface Drafted<T> {
  /** The form, with the record that it is about, such as `edit-pet:12`. */
  readonly place: string;
  readonly values: T;
  /** The values of a form in which nothing is typed, if they are not those of its first moment. */
  readonly empty?: T | null;
  /** Reads values that the browser has kept; `undefined` if they are none of this form. */
  readonly read: (value: unknown) => T | undefined;
  /** Shows values in the form. */
  readonly load: (values: T) => void;
}

/** What the person must know about a draft. */
type DraftNotice =
  /** The form shows what was kept. */
  | { readonly kind: 'kept'; readonly atMs: number }
  /** Another tab has the same form, and changed or ended its draft. */
  | { readonly kind: 'changed'; readonly atMs: number }
  | { readonly kind: 'ended' }
  /** The browser has no room. */
  | { readonly kind: 'unkept' };

export interface FormDraft {
  /** The attributes of the form, from which a dialog knows what it asks about. */
  readonly form: {
    readonly 'data-draft': string;
    readonly 'data-touched': '' | undefined;
    readonly 'data-unkept': '' | undefined;
  };
  readonly notice: DraftNotice | undefined;
  /** Shows the draft of the other tab. */
  readonly show: () => void;
  /** Empties the form. */
  readonly discard: () => void;
  /** The form is sent, or closed on purpose. */
  readonly end: () => void;
}

/** Keeps what is typed in a form until it is sent, discarded, or the person signs out. A reload shows it again. */
export function useDraft<T>({ place, values, empty, read, load }: Drafted<T>): FormDraft {
  const personId = usePersonId();
  const key = draftKey(personId, place);
  const [start] = useState(values);
  const [notice, setNotice] = useState<DraftNotice>();
  const emptyText = JSON.stringify(empty === undefined ? start : empty);
  const text = JSON.stringify(values);
  /** The values of the form that are kept, or that are not worth it. */
  const known = useRef(emptyText);
  /** The values of this moment are replaced before they show. */
  const isLoading = useRef(false);
  const current = useRef({ read, load, text });
  current.current = { read, load, text };

  const show = useCallback(() => {
    const kept = drafts.find(key);
    const found = kept && current.current.read(kept.values);
    if (!found) return;
    known.current = JSON.stringify(found);
    isLoading.current = true;
    current.current.load(found);
    setNotice({ kind: 'kept', atMs: kept.keptAtMs });
  }, [key]);
  useLayoutEffect(show, [show]);

  useEffect(() => {
    const isReplaced = isLoading.current;
    isLoading.current = false;
    // After a sign-out in another tab, nothing of the person stays.
    if (isReplaced || text === known.current || keptPersonId() !== personId) return;
    known.current = text;
    if (text === emptyText) {
      drafts.end(key);
      setNotice(undefined);
    } else if (!drafts.keep(key, values)) setNotice({ kind: 'unkept' });
    else if (notice?.kind === 'unkept') setNotice(undefined);
  });

  useEffect(() => {
    const onStorage = ({ key: changed, newValue }: StorageEvent) => {
      if (changed !== null && changed !== key) return;
      const other = newValue === null ? undefined : drafts.find(key);
      if (other) setNotice({ kind: 'changed', atMs: other.keptAtMs });
      else if (current.current.text !== emptyText) setNotice({ kind: 'ended' });
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [key, emptyText]);

  const end = useCallback(() => drafts.end(key), [key]);
  return {
    form: {
      'data-draft': key,
      'data-touched': notice?.kind === 'kept' ? '' : undefined,
      'data-unkept': notice?.kind === 'unkept' ? '' : undefined,
    },
    notice,
    show,
    discard: () => {
      end();
      known.current = emptyText;
      load(start);
      setNotice(undefined);
    },
    end,
  };
}

/** When the draft of a form that is not open was kept, and what ends it. */
export function useKeptDraft(place: string): {
  readonly keptAtMs: number | undefined;
  readonly end: () => void;
} {
  const personId = usePersonId();
  const key = draftKey(personId, place);
  const keptAtMs = useSyncExternalStore(drafts.subscribe, () => drafts.find(key)?.keptAtMs);
  useEffect(() => {
    const onStorage = () => drafts.refresh();
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, []);
  return { keptAtMs, end: () => drafts.end(key) };
}
