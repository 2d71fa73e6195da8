import { hasAtMost } from '@petstore-inventory/shared/characters';
import type { CompositionEvent, InputEvent as ReactInputEvent } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * The properties of a text field that takes so many characters, as the service counts them. `maxLength` alone counts UTF-16 units, of
 * which an emoji has two or more, so that a name would end at half of its length.
 */
export const atMost = (characters: number) => ({
  maxLength: 2 * characters,
  onInput: ({ currentTarget, nativeEvent }: ReactInputEvent<Field>) => {
    // A text that is still composed, such as one in Japanese, may be longer than what becomes of it.
    if (!(nativeEvent as InputEvent).isComposing) cutTo(characters, currentTarget);
  },
  onCompositionEnd: ({ currentTarget }: CompositionEvent<Field>) => {
    // No `input` event follows the end of the composition.
    if (cutTo(characters, currentTarget))
      currentTarget.dispatchEvent(new InputEvent('input', { bubbles: true }));
  },
});

/** Takes away what was typed or pasted last before the cursor and is too much, as browsers do for `maxLength`. */
function cutTo(characters: number, field: Field): boolean {
  const { value } = field;
  if (hasAtMost(value, characters)) return false;
  const end = field.selectionEnd ?? value.length;
  const before = [...value.slice(0, end)];
  const kept = before.slice(0, Math.max(0, before.length - ([...value].length - characters))).join('');
  setValue(field, kept + value.slice(end));
  field.setSelectionRange(kept.length, kept.length);
  return true;
}

/** The setter of the browser: React puts its own before it, which would hide the change from `onChange`. */
function setValue(field: Field, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
}
