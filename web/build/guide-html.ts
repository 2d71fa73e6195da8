import { createRequire } from 'node:module';
import { Marked, marked, Renderer, type Token, type Tokens } from 'marked';
import { type Guide, plainText, type Section } from './guides.ts';
import { entryOf } from './table-entries.ts';

interface Highlighter {
  getLanguage(name: string): object | undefined;
  highlight(text: string, options: { language: string }): { readonly value: string };
}

/** Its own types would add those of browsers to the tests of the service. */
const hljs = createRequire(import.meta.url)('highlight.js/lib/common') as Highlighter;

const COPY = '<button type="button" class="copy needs-script">Copy</button>';

/** As many columns fit a phone. */
const FITTING_COLUMNS = 2;

/** @param path The guide, which decides which rows of tables have an address. */
const writerOf = (path: string) =>
  new Marked({
    renderer: {
      code({ text, lang = '' }) {
        const language = hljs.getLanguage(lang) ? lang : 'plaintext';
        const { value } = hljs.highlight(text, { language });
        return `<div class="code"><pre><code>${value}</code></pre>${COPY}</div>\n`;
      },
      image(token) {
        return Renderer.prototype.image.call(this, token).replace('<img ', '<img loading="lazy" ');
      },
      table(table) {
        // On a phone, the cells of a row stand one below the other; the roles keep it a table for screen readers.
        const stacks = table.header.length > FITTING_COLUMNS;
        const role = (name: string) => (stacks ? ` role="${name}"` : '');
        const content = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
        // An empty heading would be announced with each cell.
        const head = table.header.map((one) =>
          one.tokens.length === 0
            ? `<td${role('cell')}></td>`
            : `<th${role('columnheader')}>${content(one)}</th>`,
        );
        const label = (index: number) => {
          const text = plainText(table.header[index]?.tokens ?? []);
          return stacks && index > 0 && text !== '' ? ` data-label="${escaped(text)}"` : '';
        };
        const rows = table.rows.map((cells) => {
          const id = entryOf(path, table, cells)?.id;
          const written = cells.map((one, index) => `<td${role('cell')}${label(index)}>${content(one)}</td>`);
          return `<tr${role('row')}${id === undefined ? '' : ` id="${id}"`}>${written.join('')}</tr>`;
        });
        const group = role('rowgroup');
        return `<div class="table"><table${stacks ? ' class="stacks" role="table"' : ''}>
<thead${group}><tr${role('row')}>${head.join('')}</tr></thead>
<tbody${group}>
${rows.join('\n')}
</tbody></table></div>\n`;
      },
    },
  });

/** The sections of a guide as HTML: each heading has the id that links lead to. */
export function guideHtml({ path, sections }: Pick<Guide, 'path' | 'sections'>): string {
  const writer = writerOf(path);
  return sections
    .map(({ slug, depth, title, tokens }) => {
      const label = titleHtml(title);
      const anchor = `<a class="anchor" href="#${slug}" aria-label="Link to ${escaped(label.replaceAll(/<[^>]*>/g, ''))}">#</a>`;
      const heading =
        depth === 1 ? `<h1>${label}</h1>` : `<h${depth} id="${slug}">${label} ${anchor}</h${depth}>`;
      return `<section>${heading}\n${writer.parser(tokens as Token[])}</section>`;
    })
    .join('\n');
}

/** The sections below the title, as links. */
export function contentsHtml(sections: readonly Section[]): string {
  return sections
    .filter(({ depth }) => depth === 2 || depth === 3)
    .map(
      ({ slug, depth, title }) =>
        `<li class="depth-${depth}"><a href="#${slug}">${titleHtml(title)}</a></li>`,
    )
    .join('\n');
}

/** A line of Markdown without its links: a heading may be part of a link itself. */
export function titleHtml(title: string): string {
  return (marked.parseInline(title) as string).replaceAll(/<\/?a\b[^>]*>/g, '');
}

/** A text as it is in an attribute, too. What is escaped already stays as it is. */
export function escaped(text: string): string {
  return text
    .replaceAll(/&(?!#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
