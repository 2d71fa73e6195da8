type Attributes = Readonly<Record<string, string | undefined>>;

/** An element with its class, its attributes, and what is in it. */
export function element(
  name: string,
  classes: string,
  content: string | readonly HTMLElement[] = [],
  attributes: Attributes = {},
): HTMLElement {
  const made = document.createElement(name);
  made.className = classes;
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(key, value);
  made.append(...(typeof content === 'string' ? [content] : content));
  return made;
}
