import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
import { marked, type Token, type Tokens } from 'marked';

const ROOT = new URL('../../', import.meta.url);

/** The guides in the order of reading, by the part of the list that they are in. Each file starts with its title. */
export const GUIDE_GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: ['docs/quick-start.md', 'docs/dashboard.md', 'client/README.md'],
  'Use the API': [
    'docs/safe-writes.md',
    'docs/responses.md',
    'docs/errors.md',
    'docs/limits.md',
    'docs/int64.md',
    'docs/stability.md',
    'docs/interface-changes.md',
  ],
  'The shop': [
    'docs/ledger.md',
    'docs/orders.md',
    'docs/alerts.md',
    'docs/webhooks.md',
    'docs/live-stream.md',
    'docs/management.md',
  ],
  'Run the service': [
    'docs/operating.md',
    'docs/configuration.md',
    'docs/growing.md',
    'docs/guarantees.md',
    'docs/upgrading.md',
    'docs/runbook.md',
    'SECURITY.md',
  ],
};

export const GUIDES: readonly string[] = Object.values(GUIDE_GROUPS).flat();

/** The requests of each interface for other programs. */
export const COLLECTIONS = [
  'docs/petstore.postman_collection.json',
  'docs/petstore-admin.postman_collection.json',
] as const;
/** What the service serves beside the pages, with its address from the root. */
const SERVED = new Map<string, string>([
  ...COLLECTIONS.map((path) => [path, basename(path)] as const),
  ['openapi.json', 'openapi.json'],
  ['admin-openapi.json', 'admin/openapi.json'],
]);

/** The longest description of a guide, in characters. */
const DESCRIPTION_LENGTH = 180;

/** A heading of a guide with what follows it. */
export interface Section {
  /** The id on its page. */
  readonly slug: string;
  readonly depth: number;
  /** Markdown. */
  readonly title: string;
  /** The content after the heading, whose links lead to places of the pages. */
  readonly tokens: readonly Token[];
}

/** A page. Its first section has its title. */
export interface Guide {
  /** In the repository. */
  readonly path: string;
  /** The last part of its address. */
  readonly name: string;
  readonly title: string;
  /** The first sentences, as plain text. */
  readonly description: string;
  readonly sections: readonly Section[];
}

/** A text of the repository by its path; a folder has an empty one. `undefined`: neither is there. */
type Read = (path: string) => string | undefined;

/** The last part of the address of a guide. */
export function guideName(path: string): string {
  return (
    basename(path) === 'README.md' ? (path.split('/').at(-2) ?? 'readme') : basename(path, '.md')
  ).toLowerCase();
}

/** Where the service has what a guide links to, from its root; `undefined`: only the repository has it. */
export function servedAddress(target: string, from: string): string | undefined {
  if (/^[a-z]+:/.test(target)) return target;
  const { path, fragment } = resolve(target, from);
  const address = GUIDES.includes(path) ? `docs/${guideName(path)}` : SERVED.get(path);
  return address && (fragment === '' ? address : `${address}#${fragment}`);
}

/**
 * The guides in the order of reading. Their links are relative to `docs/`, where the pages are.
 * @param pictureAddress The address of a picture, by its path in the repository.
 * @throws Error for a link to a file or a heading that is not there.
 */
export function readGuides(
  pictureAddress: (path: string) => string,
  paths: readonly string[] = GUIDES,
  read: Read = readText,
): Guide[] {
  const guides = paths.map((path) => guideOf(path, read(path) ?? ''));
  const pages = new Map(guides.map((guide) => [guide.path, guide]));

  /** @returns `undefined` for what is only in the repository. */
  const addressOf = (target: string, from: string): string | undefined => {
    if (/^[a-z]+:/.test(target)) return target;
    const { path, fragment } = resolve(target, from);
    const served = SERVED.get(path);
    if (served !== undefined) return `../${served}`;
    const text = read(path);
    if (text === undefined) throw new Error('no such file');
    const page = pages.get(path);
    const sections = page?.sections ?? (fragment === '' ? [] : sectionsOf(path, text));
    if (fragment !== '' && !sections.some(({ slug }) => slug === fragment))
      throw new Error('no heading has this address');
    if (!page) return undefined;
    // The title of a page is at its start.
    const place = fragment === '' || fragment === sections[0]?.slug ? '' : `#${fragment}`;
    return path === from && place !== '' ? place : `${page.name}${place}`;
  };

  const relink = (token: Token, from: string): void => {
    if (token.type === 'image') {
      const { path } = resolve(token.href, from);
      if (read(path) === undefined) throw new Error('no such file');
      token.href = pictureAddress(path);
    }
    if (token.type !== 'link') return;
    const address = addressOf(token.href, from);
    if (address === undefined) becomeText(token as Tokens.Link);
    else relabel(token as Tokens.Link, address, from);
  };
  /** The name of a file is no name on a page: the label becomes the title of the guide. */
  const relabel = (link: Tokens.Link, address: string, from: string): void => {
    const { path } = resolve(link.href, from);
    const title = pages.get(path)?.title;
    link.href = address;
    if (title === undefined || link.text !== basename(path)) return;
    link.text = title;
    link.tokens = marked.Lexer.lexInline(title);
  };
  for (const { path, sections } of guides) {
    for (const { tokens } of sections) {
      void marked.walkTokens([...tokens], (token) => {
        const target = String((token as { href?: unknown }).href);
        try {
          relink(token, path);
        } catch (error) {
          const line = lineOf(target, read(path) ?? '');
          throw new Error(`${path}:${line}: ${target}: ${(error as Error).message}.`);
        }
      });
    }
  }
  return guides;
}

function guideOf(path: string, text: string): Guide {
  const sections = sectionsOf(path, text);
  const title = plainText(marked.lexer(sections[0]?.title ?? ''));
  const description = shortened(descriptionOf(sections));
  return { path, name: guideName(path), title, description, sections };
}

/** The first sentences, without those about files of the repository and those that introduce what follows; or the titles of the parts. */
function descriptionOf([first, ...others]: readonly Section[]): string {
  const paragraph = first?.tokens.find(({ type }) => type === 'paragraph');
  const sentences = (paragraph ? plainText([paragraph]) : '').split(/(?<=\.) /);
  const said = sentences.filter((sentence) => sentence.endsWith('.') && !/\.md\b/.test(sentence)).join(' ');
  return said === ''
    ? others
        .filter(({ depth }) => depth === 2)
        .map(({ title }) => title)
        .join(', ')
    : said;
}

/** The words of Markdown. */
export function plainText(tokens: readonly Token[]): string {
  return tokens.map(wordsOf).join('').replaceAll(/\s+/g, ' ').trim();
}

function wordsOf(token: Token): string {
  const { type, text = '', tokens } = token as { type: string; text?: string; tokens?: Token[] };
  if (type === 'html') return '';
  if (type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [...header, ...rows.flat()].map((cell) => `${plainText(cell.tokens)} `).join('');
  }
  const parts = type === 'list' ? (token as Tokens.List).items : tokens;
  const words = parts ? parts.map(wordsOf).join('') : text;
  return INLINE.has(type) ? words : `${words} `;
}

/** Tokens inside a line. After others a new line begins. */
const INLINE = new Set(['text', 'escape', 'strong', 'em', 'del', 'codespan', 'link', 'image']);

/** Whole sentences, as many as fit; of a longer first one its first words. */
export function shortened(text: string, length = DESCRIPTION_LENGTH): string {
  if (text.length <= length) return text;
  const end = text.slice(0, length + 1).lastIndexOf('. ');
  if (end > 0) return text.slice(0, end + 1);
  return `${text.slice(0, text.lastIndexOf(' ', length - 1)).replace(/[\s,;:(]+$/, '')}…`;
}

function resolve(target: string, from: string): { path: string; fragment: string } {
  const { pathname, hash } = new URL(target, new URL(from, 'file:///'));
  return { path: decodeURIComponent(pathname).slice(1), fragment: hash.slice(1) };
}

/** A link to what the pages lack is its label. */
function becomeText(link: Tokens.Link): void {
  const { raw, text, tokens } = link;
  for (const name of Object.keys(link)) delete (link as unknown as Record<string, unknown>)[name];
  Object.assign(link, { type: 'text', raw, text, tokens, escaped: true });
}

function lineOf(target: string, text: string): number {
  return text.split('\n').findIndex((line) => line.includes(`](${target})`)) + 1;
}

/** The sections of a text. Comments are left out. */
function sectionsOf(path: string, text: string): Section[] {
  const slugger = new GithubSlugger();
  const sections: (Section & { tokens: Token[] })[] = [];
  for (const token of marked.lexer(text)) {
    if (token.type === 'heading') {
      const { depth, text: title } = token as Tokens.Heading;
      sections.push({ slug: slugger.slug(title), depth, title, tokens: [] });
    } else if (token.type !== 'space' && !token.raw.startsWith('<!--')) {
      const section = sections.at(-1);
      if (!section) throw new Error(`${path} does not start with its title.`);
      section.tokens.push(token);
    }
  }
  return sections;
}

function readText(path: string): string | undefined {
  const url = new URL(path, ROOT);
  if (!existsSync(url)) return undefined;
  return statSync(url).isDirectory() ? '' : readFileSync(url, 'utf8');
}

/** The path of a file of the repository on this machine. */
export function repositoryFile(path: string): string {
  return fileURLToPath(new URL(path, ROOT));
}
