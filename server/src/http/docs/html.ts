/** Markup that is safe to send: it was written here, or made from text that was escaped. */
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

/** Escapes a text for an element's content and for a quoted attribute alike. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function render(fragment: Fragment): string {
  if (fragment instanceof Html) return fragment.markup;
  if (fragment === undefined || fragment === false) return '';
  if (typeof fragment === 'string') return escapeHtml(fragment);
  return typeof fragment === 'number' ? String(fragment) : fragment.map(render).join('');
}

/** Joins written markup with values. Every value is escaped unless it is `Html` itself, so nothing slips through. */
export function html(written: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  return new Html(String.raw({ raw: written }, ...values.map(render)));
}

/** Puts a separator between fragments. */
export function joined(fragments: readonly Fragment[], separator: Fragment): Fragment {
  return fragments.map((fragment, index) => (index === 0 ? fragment : [separator, fragment]));
}

/** A name in code type that may break after `_`, `-`, `/` and `.`, where a narrow column needs it to. */
export function codeName(name: string): Html {
  return html`<code>${joined(name.split(/(?<=[_\-/.])/), html`<wbr>`)}</code>`;
}

const LINK_TARGET = /^(?:https?:\/\/|mailto:|#|\/(?!\/))/i;
const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^()\s]+)\)/g;

/** Reads `code`, **bold** and [links](to) within a line. A link to anything but the web, mail or this page stays text. */
export function inlineMarkdown(text: string): Html {
  const parts: Fragment[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, bold, label, target] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + whole.length;
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (bold !== undefined) parts.push(html`<strong>${inlineMarkdown(bold)}</strong>`);
    else if (label !== undefined && target !== undefined && LINK_TARGET.test(target)) {
      parts.push(html`<a href="${target}" rel="noreferrer">${inlineMarkdown(label)}</a>`);
    } else parts.push(whole);
  }
  return html`${parts}${text.slice(end)}`;
}

const LIST_ITEM = /^\s*(?:[-*]|(\d+)\.)\s+(.*)$/;

interface Block {
  readonly tag: 'p' | 'ul' | 'ol';
  readonly lines: string[];
}

/** Reads the lines of a paragraph; a line that is no list item continues the block before it. */
function readBlocks(paragraph: string): Block[] {
  const blocks: Block[] = [];
  for (const line of paragraph.split('\n')) {
    const item = LIST_ITEM.exec(line);
    const tag = item ? (item[1] === undefined ? 'ul' : 'ol') : 'p';
    const text = item?.[2] ?? line.trim();
    const last = blocks.at(-1);
    if (!last || (item && last.tag !== tag)) blocks.push({ tag, lines: [text] });
    else if (item) last.lines.push(text);
    else last.lines.push(`${last.lines.pop()} ${text}`);
  }
  return blocks;
}

/** Reads a small part of CommonMark: paragraphs, lists, and what `inlineMarkdown` reads. */
export function markdown(text: string | undefined): Html {
  const paragraphs = (text ?? '')
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n\s*\n/);
  const blocks = paragraphs.filter((paragraph) => paragraph !== '').flatMap(readBlocks);
  return html`${blocks.map(({ tag, lines }) => {
    if (tag === 'p') return html`<p>${lines.map(inlineMarkdown)}</p>`;
    const items = lines.map((line) => html`<li>${inlineMarkdown(line)}</li>`);
    return tag === 'ul' ? html`<ul>${items}</ul>` : html`<ol>${items}</ol>`;
  })}`;
}
