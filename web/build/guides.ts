import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
import { marked, type Token, type Tokens } from 'marked';

const ROOT = new URL('../../', import.meta.url);

/** The guides in the order of the page. Each starts with its title. */
export const GUIDES = [
  'docs/quick-start.md',
  'docs/safe-writes.md',
  'docs/responses.md',
  'docs/ledger.md',
  'docs/orders.md',
  'docs/alerts.md',
  'docs/webhooks.md',
  'docs/live-stream.md',
  'docs/limits.md',
  'docs/errors.md',
  'docs/int64.md',
  'client/README.md',
  'docs/stability.md',
  'docs/interface-changes.md',
  'docs/dashboard.md',
  'docs/management.md',
  'docs/operating.md',
  'docs/runbook.md',
  'docs/configuration.md',
  'docs/growing.md',
  'SECURITY.md',
] as const;

/** The requests of the quick start for other programs. */
export const COLLECTION = 'docs/petstore.postman_collection.json';
/** What the service serves beside the page, with its address from there. */
const SERVED = new Map([
  [COLLECTION, 'petstore.postman_collection.json'],
  ['openapi.json', 'openapi.json'],
  ['admin-openapi.json', 'admin/openapi.json'],
]);

/** A heading of a guide with what follows it. */
export interface Section {
  /** The id on the page of all guides. */
  readonly slug: string;
  readonly depth: number;
  /** Markdown. */
  readonly title: string;
  /** The content after the heading, whose links lead to places of the page. */
  readonly tokens: readonly Token[];
}

/** The addresses of what the guides link to. */
export interface Addresses {
  /** Of a heading of the page. */
  ofHeading(slug: string): string;
  /** Of a picture, by its path in the repository. */
  ofPicture(path: string): string;
}

/** A text of the repository by its path; a folder has an empty one. `undefined`: neither is there. */
type Read = (path: string) => string | undefined;

/**
 * All guides in the order of the page.
 * @throws Error for a link to a file or a heading that is not there.
 */
export function readGuides(
  addresses: Addresses,
  paths: readonly string[] = GUIDES,
  read: Read = readText,
): Section[] {
  const slugger = new GithubSlugger();
  const guides = paths.map((path) => sectionsOf(path, read(path) ?? '', slugger));
  const pages = new Map(paths.map((path, index) => [path, guides[index] ?? []]));

  /** @returns `undefined` for what is only in the repository. */
  const addressOf = (target: string, from: string): string | undefined => {
    if (/^[a-z]+:/.test(target)) return target;
    const { path, fragment } = resolve(target, from);
    const served = SERVED.get(path);
    if (served !== undefined) return served;
    const text = read(path);
    if (text === undefined) throw new Error('no such file');
    const page = pages.get(path);
    const sections = page ?? (fragment === '' ? [] : sectionsOf(path, text, new GithubSlugger()));
    const section = fragment === '' ? sections[0] : sections.find((one) => one.fragment === fragment);
    if (fragment !== '' && !section) throw new Error('no heading has this address');
    return page && section && addresses.ofHeading(section.slug);
  };

  const relink = (token: Token, from: string): void => {
    if (token.type === 'image') {
      const { path } = resolve(token.href, from);
      if (read(path) === undefined) throw new Error('no such file');
      token.href = addresses.ofPicture(path);
    }
    if (token.type !== 'link') return;
    const address = addressOf(token.href, from);
    if (address === undefined) becomeText(token as Tokens.Link);
    else token.href = address;
  };
  for (const [path, sections] of pages) {
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
  return guides.flat();
}

function resolve(target: string, from: string): { path: string; fragment: string } {
  const { pathname, hash } = new URL(target, new URL(from, 'file:///'));
  return { path: decodeURIComponent(pathname).slice(1), fragment: hash.slice(1) };
}

/** A link to what the page lacks is its label. */
function becomeText(link: Tokens.Link): void {
  const { raw, text, tokens } = link;
  for (const name of Object.keys(link)) delete (link as unknown as Record<string, unknown>)[name];
  Object.assign(link, { type: 'text', raw, text, tokens, escaped: true });
}

function lineOf(target: string, text: string): number {
  return text.split('\n').findIndex((line) => line.includes(`](${target})`)) + 1;
}

/** The sections of a text. Comments are left out. */
function sectionsOf(path: string, text: string, slugger: GithubSlugger): (Section & { fragment: string })[] {
  const own = new GithubSlugger();
  const sections: (Section & { fragment: string; tokens: Token[] })[] = [];
  for (const token of marked.lexer(text)) {
    if (token.type === 'heading') {
      const { depth, text: title } = token as Tokens.Heading;
      sections.push({ slug: slugger.slug(title), fragment: own.slug(title), depth, title, tokens: [] });
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
