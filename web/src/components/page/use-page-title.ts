import { useEffect } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';

/** Names the tab. @param title The heading of the page; `undefined`: something else names it. */
export function usePageTitle(title: string | undefined): void {
  const { shop } = useTexts().app;
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${shop}`;
  }, [title, shop]);
}
