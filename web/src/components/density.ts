import { useMediaQuery } from '@mantine/hooks';
import { useSyncExternalStore } from 'react';
import { browserStorage, keepChoice } from '../storage/browser-storage.ts';
import { Listeners } from '../listeners.ts';

type Density = 'comfortable' | 'dense';

const STORAGE_KEY = 'density';
const HEIGHTS: Readonly<Record<Density, number>> = { comfortable: 44, dense: 36 };
/** Rows of a phone have two lines. */
const PHONE_HEIGHT = 64;
const listeners = new Listeners();
let density: Density = browserStorage.getItem(STORAGE_KEY) === 'dense' ? 'dense' : 'comfortable';

export function chooseDensity(chosen: Density): void {
  density = chosen;
  keepChoice(STORAGE_KEY, chosen);
  for (const listener of listeners) listener();
}

export const useDensity = (): Density => useSyncExternalStore(listeners.subscribe, () => density);

export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false }) ?? false;

/** Where fields in a row would wrap: German texts are longer. */
export const useHasFoldedFilters = (): boolean =>
  useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false }) ?? false;

/** The height of a row of a table, in pixels. */
export function useRowHeight(): number {
  const chosen = useDensity();
  return useIsPhone() ? PHONE_HEIGHT : HEIGHTS[chosen];
}
