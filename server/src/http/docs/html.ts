/** Markup that is safe to send: literal markup of this folder, or escaped text. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type Fragment = Html | string | number | false | undefined | readonly Fragment[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for the content of an element and for a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function render(fragment: Fragment): string {
  if (fragment instanceof Html) return fragment.markup;
  if (fragment === undefined || fragment === false) return '';
  if (typeof fragment === 'string') return escapeHtml(fragment);
  return typeof fragment === 'number' ? String(fragment) : fragment.map(render).join('');
}

/** Joins literal markup with values. Every value is escaped, except `Html`. */
export function html(written: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  return new Html(String.raw({ raw: written }, ...values.map(render)));
}

/** Puts a separator between fragments. */
export function joined(fragments: readonly Fragment[], separator: Fragment): Fragment {
  return fragments.map((fragment, index) => (index === 0 ? fragment : [separator, fragment]));
}

/** A name in code type. In a narrow column it breaks after `_`, `-`, `/` and `.`. */
export function codeName(name: string): Html {
  return html`<code>${joined(name.split(/(?<=[_\-/.])/), html`<wbr>`)}</code>`;
}

/** Renders the `code` within a line. */
export function inlineMarkdown(text: string): Html {
  return html`${text.split('`').map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

/** Renders the part of CommonMark that our descriptions use: paragraphs, lists, indented code, `code`. */
export function markdown(text = ''): Html {
  return html`${text.split(/\n{2,}/).map((block) => {
    const lines = block.split('\n');
    if (block === '') return '';
    if (block.startsWith('    ')) {
      return html`<pre><code>${lines.map((line) => line.slice(4)).join('\n')}</code></pre>`;
    }
    if (!block.startsWith('- ')) return html`<p>${inlineMarkdown(block)}</p>`;
    return html`<ul>${lines.map((line) => html`<li>${inlineMarkdown(line.slice(2))}</li>`)}</ul>`;
  })}`;
}
