import { useEffect } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';

/** The heading of the page, with the name of the shop. */
let whole = '';
/** The parts of the page that show, each with an address of its own, the innermost last. */
const parts: { readonly name: string }[] = [];

function nameTab(): void {
  document.title = [...parts.map(({ name }) => name).reverse(), whole].join(' · ');
}

/** Names the tab. @param title The heading of the page; `undefined`: something else names it. */
export function usePageTitle(title: string | undefined): void {
  const { shop } = useTexts().app;
  useEffect(() => {
    if (title === undefined) return;
    whole = `${title} · ${shop}`;
    nameTab();
  }, [title, shop]);
}

/**
 * Names a part of the page before the page. Tabs, bookmarks and the history of the browser tell it from the page then.
 * @param name `undefined`: the part does not show.
 */
export function useTitlePart(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return;
    const part = { name };
    parts.push(part);
    nameTab();
    return () => {
      parts.splice(parts.indexOf(part), 1);
      nameTab();
    };
  }, [name]);
}
