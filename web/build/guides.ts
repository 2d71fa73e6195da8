import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';

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
  'docs/dashboard.md',
  'docs/management.md',
  'docs/operating.md',
  'docs/runbook.md',
  'docs/configuration.md',
  'docs/growing.md',
  'SECURITY.md',
] as const;

/** The requests of the quick start for other programs, which the service serves beside the page. */
export const COLLECTION = 'docs/petstore.postman_collection.json';

/** A block of code, a comment, or a line of text. */
const PIECE = /^```[\s\S]*?^```$|<!--[\s\S]*?-->\n*|^.*$/gm;
const HEADING = /^(#{1,6}) +(.+)$/;
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;

interface Heading {
  /** The id on GitHub, which is unique in its file. */
  readonly fragment: string;
  /** The id on the page of all guides, as Scalar makes it. */
  readonly slug: string;
}

/** The addresses of what the guides link to. */
export interface Addresses {
  /** Of a heading of the page. */
  ofHeading(slug: string): string;
  /** Of a picture, by its path in the repository. */
  ofPicture(path: string): string;
}

/**
 * All guides as one Markdown text, whose links lead to its own headings.
 * @param texts The guides by their paths.
 * @throws Error for a link to a heading that is not there.
 */
export function joinGuides(addresses: Addresses, texts: ReadonlyMap<string, string> = readGuides()): string {
  const slugger = new GithubSlugger();
  const headings = new Map([...texts].map(([path, text]) => [path, headingsOf(text, slugger)]));

  /** @returns `undefined` for what is only in the repository. */
  const addressOf = (target: string, from: string): string | undefined => {
    if (/^[a-z]+:/.test(target)) return target;
    const { pathname, hash } = new URL(target, new URL(from, 'file:///'));
    const path = decodeURIComponent(pathname).slice(1);
    if (path === COLLECTION) return target;
    const found = headings.get(path);
    if (!found) return undefined;
    const heading = hash === '' ? found[0] : found.find(({ fragment }) => `#${fragment}` === hash);
    if (!heading) throw new Error(`${from}: no heading has the address ${target}.`);
    return addresses.ofHeading(heading.slug);
  };
  const linked = (line: string, from: string): string =>
    line.replaceAll(LINK, (_, mark: string, label: string, target: string) => {
      if (mark === '!') {
        const path = new URL(target, new URL(from, 'file:///')).pathname.slice(1);
        return `![${label}](${addresses.ofPicture(path)})`;
      }
      const address = addressOf(target, from);
      return address === undefined ? label : `[${label}](${address})`;
    });
  return [...texts]
    .map(([path, text]) =>
      text.replaceAll(PIECE, (piece) => {
        if (piece.startsWith('<!--')) return '';
        return piece.startsWith('```') ? piece : linked(piece, path);
      }),
    )
    .join('\n\n');
}

function readGuides(): ReadonlyMap<string, string> {
  return new Map(GUIDES.map((path) => [path, readFileSync(new URL(path, ROOT), 'utf8')]));
}

function headingsOf(text: string, slugger: GithubSlugger): Heading[] {
  const own = new GithubSlugger();
  return [...text.matchAll(PIECE)].flatMap(([piece]) => {
    const [, , title] = HEADING.exec(piece) ?? [];
    return title === undefined ? [] : { fragment: own.slug(title), slug: slugger.slug(title) };
  });
}

/** The path of a file of the repository on this machine. */
export function repositoryFile(path: string): string {
  return fileURLToPath(new URL(path, ROOT));
}
