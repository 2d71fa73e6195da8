import { useRef } from 'react';
import { useHotkeys } from '../../components/hotkeys/hotkey-provider.tsx';
import { MIN_CODE } from '../../components/scanner/scan-burst.ts';
import { useKeyScanner } from '../../components/scanner/use-key-scanner.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { appended } from './counting.tsx';
import type { Counting } from './use-counting.ts';

interface Actions {
  /** `false` while a dialog takes the keys. */
  readonly isScanning: boolean;
  /** @param typedBefore What was typed before the keys of the code. */
  readonly onCode: (code: string, typedBefore: string) => void;
  readonly onFinish: () => void;
  readonly onBlind: () => void;
}

/** The keys of count mode: a hand scanner anywhere, and digits while a pet is chosen. */
export function useCountKeys({ row, typed, type, save, choose }: Counting, actions: Actions): void {
  const {
    app,
    count: { keys },
  } = useTexts();
  const typedBefore = useRef('');
  useKeyScanner({
    isActive: actions.isScanning,
    minLength: (target) => (row && !(target instanceof HTMLInputElement) ? MIN_CODE : 1),
    onBegin: () => {
      typedBefore.current = typed;
    },
    onCode: (code) => actions.onCode(code, typedBefore.current),
  });
  const whileCounting = (run: () => void) => () => (row ? run() : false);
  // Enter on a button or a link is theirs.
  const onEnter = ({ target }: KeyboardEvent) =>
    row && !(target instanceof Element && target.closest('button, a')) ? save() : false;
  useHotkeys(app.pages.count, [
    ...Array.from('0123456789', (digit) => ({
      keys: digit,
      ...(digit === '0' && { label: keys.digits }),
      run: whileCounting(() => type(appended(typed, digit))),
    })),
    { keys: 'Backspace', run: whileCounting(() => type(typed.slice(0, -1))) },
    { keys: 'Enter', label: keys.save, run: onEnter },
    { keys: 'Escape', label: keys.leave, run: whileCounting(() => choose(undefined)) },
    { keys: 'Shift+f', label: keys.finish, run: actions.onFinish },
    { keys: 'Shift+b', label: keys.blind, run: actions.onBlind },
  ]);
}
