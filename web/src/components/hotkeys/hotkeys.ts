export interface Hotkey {
  /** A key such as `e`, `Shift+x`, `Mod+k` (Ctrl, or Command on a Mac) or `ArrowDown`; or a sequence: `g s`. */
  readonly keys: string;
  /** The text in the sheet of all keys; without it the key is not listed. */
  readonly label?: string;
  /** Returns `false` if the key has no effect now and another one may have it. */
  run(event: KeyboardEvent): unknown;
  /** Works in text fields too. */
  readonly isGlobal?: boolean;
}

const EDITABLE = 'input, textarea, select, [contenteditable="true"]';
/** Where letters belong to the widget: a menu or a list box finds its items by them. */
const WIDGET = '[role="menu"], [role="listbox"], [role="dialog"]';

/** The notation of a key that was pressed. */
export function keyOf(event: KeyboardEvent): string {
  const { key } = event;
  const name = key.length === 1 && !event.shiftKey ? key.toLowerCase() : key;
  const modifiers = [
    (event.ctrlKey || event.metaKey) && 'Mod+',
    event.altKey && 'Alt+',
    // Shift is part of a character such as ?, and a modifier of a named key or a letter.
    event.shiftKey && (key.length > 1 || /^[a-z]$/i.test(key)) && 'Shift+',
  ];
  return modifiers.filter(Boolean).join('') + (event.shiftKey && key.length === 1 ? key.toLowerCase() : name);
}

/** Whether the key belongs to the element that has the focus. Keys of a page do not work inside a dialog over it. */
export function isTakenBy(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target instanceof HTMLInputElement && ['checkbox', 'radio', 'button'].includes(target.type)) {
    return target.closest(WIDGET) !== null;
  }
  return target.closest(`${EDITABLE}, ${WIDGET}`) !== null;
}

/** The keys of a notation, one after the other, for showing them. */
export function keyCaps(keys: string, isMac: boolean): readonly (readonly string[])[] {
  const names: Readonly<Record<string, string>> = {
    Mod: isMac ? '⌘' : 'Ctrl',
    Shift: '⇧',
    ArrowDown: '↓',
    ArrowUp: '↑',
    Escape: 'Esc',
    Enter: '↵',
  };
  return keys
    .split(' ')
    .map((step) =>
      step.split(/\+(?=.)/).map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part)),
    );
}

export const IS_MAC = navigator.userAgent.includes('Mac');
