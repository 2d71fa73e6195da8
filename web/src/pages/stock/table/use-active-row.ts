import { useMemo } from 'react';
import { useKeptState } from '../../../stock/stock-provider.tsx';

interface ActiveRow {
  readonly position: number;
  activate(position: number): void;
  /** Returns to the first row. */
  reset(): void;
}

const FIRST = { position: 0, petId: undefined };

/** The row of the keyboard. It stays with its pet when rows come and go, so that a key changes no other pet. */
export function useActiveRow(petIdAt: (position: number) => string, count: number): ActiveRow {
  const [active, setActive] = useKeptState<{ position: number; petId: string | undefined }>(
    'stock-active',
    FIRST,
  );
  const position = useMemo(() => {
    const { petId } = active;
    const last = Math.max(count - 1, 0);
    if (petId === undefined) return 0;
    if (active.position < count && petIdAt(active.position) === petId) return active.position;
    for (let at = 0; at < count; at += 1) if (petIdAt(at) === petId) return at;
    return Math.min(active.position, last);
  }, [active, petIdAt, count]);
  return {
    position,
    activate: (next) => setActive({ position: next, petId: next < count ? petIdAt(next) : undefined }),
    reset: () => setActive(FIRST),
  };
}
