import { useState } from 'react';

const STORAGE_KEY = 'count-blind';

/** Whether the expected quantity is hidden until a pet is counted; kept in the browser. */
export function useBlind(): readonly [boolean, (isBlind: boolean) => void] {
  const [isBlind, setBlind] = useState(() => localStorage.getItem(STORAGE_KEY) === 'yes');
  return [
    isBlind,
    (next) => {
      localStorage.setItem(STORAGE_KEY, next ? 'yes' : 'no');
      setBlind(next);
    },
  ];
}
