import type { Plugin } from 'vite';
import { guidesHtml, guidesList } from './guide-html.ts';
import { readGuides } from './guides.ts';

const PAGE = 'docs.html';
const ID = 'v1/description/';

/** Writes the guides into the page of the documentation, so that it shows them before any script runs. */
export function guidesPage(): Plugin {
  return {
    name: 'guides-page',
    transformIndexHtml: {
      // Vite then makes files of the pictures.
      order: 'pre',
      handler(html, { filename }) {
        if (!filename.endsWith(`/${PAGE}`)) return html;
        const idOf = (slug: string) => ID + slug;
        const guides = readGuides({
          ofHeading: (slug) => `#${idOf(slug)}`,
          ofPicture: (path) => `../${path}`,
        });
        return html
          .replace('<!-- list of guides -->', () => guidesList(guides, idOf))
          .replace('<!-- guides -->', () => guidesHtml(guides, idOf));
      },
    },
  };
}
