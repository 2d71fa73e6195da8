import { createRequire } from 'node:module';
import { Marked, Renderer, type Token } from 'marked';
import type { Section } from './guides.ts';

interface Highlighter {
  getLanguage(name: string): object | undefined;
  highlight(text: string, options: { language: string }): { readonly value: string };
}

/** Its own types would add those of browsers to the tests of the service. */
const hljs = createRequire(import.meta.url)('highlight.js/lib/common') as Highlighter;

const COPY = '<button type="button" class="copy">Copy</button>';

const html = new Marked({
  renderer: {
    code({ text, lang = '' }) {
      const language = hljs.getLanguage(lang) ? lang : 'plaintext';
      const { value } = hljs.highlight(text, { language });
      return `<div class="code"><pre><code>${value}</code></pre>${COPY}</div>\n`;
    },
    tablecell(token) {
      const isEmpty = token.header && token.tokens.length === 0;
      // An empty heading would be announced with each cell.
      return isEmpty ? '<td></td>\n' : Renderer.prototype.tablecell.call(this, token);
    },
    table(token) {
      return `<div class="table">${Renderer.prototype.table.call(this, token)}</div>\n`;
    },
  },
});

/** The guides as HTML: each section has the id that links lead to. */
export function guidesHtml(sections: readonly Section[], idOf: (slug: string) => string): string {
  return sections
    .map(({ slug, depth, title, tokens }) => {
      const heading = `<h${depth}>${html.parseInline(title) as string}</h${depth}>`;
      return `<section class="guide" id="${idOf(slug)}">${heading}\n${html.parser(tokens as Token[])}</section>`;
    })
    .join('\n');
}

/** The titles of the guides as links. */
export function guidesList(sections: readonly Section[], idOf: (slug: string) => string): string {
  return sections
    .filter(({ depth }) => depth === 1)
    .map(({ slug, title }) => `<li><a href="#${idOf(slug)}">${html.parseInline(title) as string}</a></li>`)
    .join('\n');
}
