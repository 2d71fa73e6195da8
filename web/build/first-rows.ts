import type { Plugin } from 'vite';

const NAME = 'first-rows';
/** A script that shows the first pets before the dashboard has its code. */
export const FIRST_ROWS_ENTRY = { [NAME]: 'src/first-rows/first-rows.ts' };

const STYLE_SHEET = / *<link rel="stylesheet"[^>]*href="(?<href>[^"]*)"[^>]*>\n/g;
const SCRIPT = / *<script type="module"/;

/**
 * Adds the script to the page of the dashboard, and moves the style sheets that it does not need behind the content: a
 * browser paints nothing before those of the head, nor runs a script that is not `async`.
 */
export function firstRows(): Plugin {
  return {
    name: 'first-rows',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, path }) {
        if (path !== '/index.html') return html;
        const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk');
        const entry = chunks.find(({ name, isEntry }) => isEntry && name === NAME);
        if (!entry) throw new Error(`The build has no ${NAME}.`);
        const own = new Set<string>();
        for (const chunk of chunks)
          if (chunk === entry || entry.imports.includes(chunk.fileName))
            for (const file of chunk.viteMetadata?.importedCss ?? []) own.add(`/${file}`);
        const later = [...html.matchAll(STYLE_SHEET)].filter(({ groups }) => !own.has(groups?.href ?? ''));
        const moved = later.reduce((text, [link]) => text.replace(link, ''), html);
        const script = `    <script type="module" async crossorigin src="/${entry.fileName}"></script>\n`;
        return moved
          .replace(SCRIPT, (found) => script + found)
          .replace('  </body>', `${later.map(([link]) => link).join('')}  </body>`);
      },
    },
  };
}
