/** What a key means, after the one before it: first the hotkeys of both, so that `g a` is not the `a` of the page. */
export function meaningsOf<Hotkey extends { readonly keys: string }>(
  hotkeys: readonly Hotkey[],
  key: string,
  before: string | undefined,
): readonly Hotkey[] {
  return [`${before} ${key}`, key].flatMap((pressed) => hotkeys.filter(({ keys }) => keys === pressed));
}
