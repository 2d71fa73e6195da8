/** Gives names to buttons of Scalar that have only an icon. */
export function nameButtons(_root: HTMLElement): void {}
