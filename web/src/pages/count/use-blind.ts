import { useState } from 'react';
import { browserStorage, keepChoice } from '../../storage/browser-storage.ts';

const STORAGE_KEY = 'count-blind';

/** Whether the expected quantity is hidden until a pet is counted; kept in the browser. */
export function useBlind(): readonly [boolean, (isBlind: boolean) => void] {
  const [isBlind, setBlind] = useState(() => browserStorage.getItem(STORAGE_KEY) === 'yes');
  return [
    isBlind,
    (next) => {
      keepChoice(STORAGE_KEY, next ? 'yes' : 'no');
      setBlind(next);
    },
  ];
}
