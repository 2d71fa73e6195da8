import { readFileSync } from 'node:fs';
import GithubSlugger from 'github-slugger';
import { marked, type Token, type Tokens } from 'marked';
import type { Plugin } from 'vite';
import { type OpenApiDocument, operationsOf } from '../src/docs/document.ts';
import { DocsSearch, type Indexed, type Kind } from '../src/docs/search/search.ts';
import { GUIDES, type Guide, plainText, readGuides, repositoryFile, shortened } from './guides.ts';
import { entryOf } from './table-entries.ts';

const MODULE = 'virtual:search-index';
const ERRORS = 'docs/errors.md';
const CLIENT = 'client/README.md';
const EXCERPT_LENGTH = 140;

/** Provides `virtual:search-index`. */
export function searchIndex(): Plugin {
  return {
    name: 'search-index',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return undefined;
      const guides = readGuides(() => '');
      const value = { search: DocsSearch.of(placesOf(guides)).text, oldAddresses: oldAddresses(guides) };
      // As a text: engines read JSON faster than a literal.
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(value))});`;
    },
  };
}

type Found = Omit<Indexed, 'id' | 'excerpt' | 'weight'> & { readonly excerpt?: string };

/** Tables of what tests measured: they have many words of other guides, and explain none. */
const MEASURED: ReadonlySet<string> = new Set(['docs/guarantees#last-runs']);
const LEAST = 0.3;

/** A guide explains, so of places with the same words it comes first; a management operation is for few. */
const WEIGHTS: Readonly<Record<Kind, number>> = {
  Guide: 1.3,
  Client: 1.1,
  Error: 1.2,
  Command: 1,
  Variable: 0.8,
  Metric: 0.7,
  API: 0.9,
  'Management API': 0.6,
};
/** How much more a guide about a word counts than a section. */
const WHOLE = 0.4;
/** How much less a guide counts than the one before it, in the order of reading. */
const LATER = 0.015;

/** Everything that the search finds, in the order of the guides. */
export function placesOf(guides: readonly Guide[]): Indexed[] {
  const found = [
    ...guides.flatMap((guide, index) =>
      placesInGuide(guide).map((place) => ({
        ...place,
        weight: MEASURED.has(place.address)
          ? LEAST
          : WEIGHTS[place.kind] + (place.title === guide.title ? WHOLE : 0) - index * LATER,
      })),
    ),
    ...operationPlaces('openapi.json', 'API', '/v1', 'v1'),
    ...operationPlaces('admin-openapi.json', 'Management API', '/admin/v1', 'admin'),
  ];
  return found.map((place, id) => ({
    id,
    excerpt: shortened(place.text, EXCERPT_LENGTH),
    weight: WEIGHTS[place.kind],
    ...place,
  }));
}

function placesInGuide(guide: Guide): Found[] {
  return guide.sections.flatMap(({ slug, depth, title, tokens }): Found[] => {
    const page = { page: guide.title, address: `docs/${guide.name}` };
    const isError = guide.path === ERRORS && depth === 2;
    const section: Found = {
      ...page,
      kind: isError ? 'Error' : guide.path === CLIENT ? 'Client' : 'Guide',
      title: plainText(marked.lexer(title)),
      names: isError ? errorNames(tokens) : '',
      address: depth === 1 ? page.address : `${page.address}#${slug}`,
      text: [
        textOf(guide.path, tokens),
        ...(depth === 1 ? guide.sections.slice(1).map((one) => one.title) : []),
      ].join(' '),
      ...(isError && { excerpt: shortened(errorMeaning(tokens), EXCERPT_LENGTH) }),
    };
    return [section, ...entriesIn(guide, tokens)];
  });
}

const tablesIn = (tokens: readonly Token[]) =>
  tokens.filter((token): token is Tokens.Table => token.type === 'table');

function entriesIn(guide: Guide, tokens: readonly Token[]): Found[] {
  return tablesIn(tokens).flatMap((table) =>
    table.rows.flatMap((cells) => {
      const entry = entryOf(guide.path, table, cells);
      if (!entry) return [];
      const { id, kind, title, text } = entry;
      return [{ kind, title, text, names: '', page: guide.title, address: `docs/${guide.name}#${id}` }];
    }),
  );
}

/** The words of a section, without the rows that are places of their own. */
function textOf(path: string, tokens: readonly Token[]): string {
  const own = tokens.map((token) => {
    if (token.type !== 'table') return token;
    const table = token as Tokens.Table;
    return { ...table, rows: table.rows.filter((cells) => !entryOf(path, table, cells)) };
  });
  return plainText(own);
}

/** The status of an error, such as `429 Too Many Requests`: the heading of its table. */
function errorNames(tokens: readonly Token[]): string {
  return (tablesIn(tokens)[0]?.header ?? []).map(({ text }) => text).join(' ');
}

function errorMeaning(tokens: readonly Token[]): string {
  const row = tablesIn(tokens)[0]?.rows.find(([name]) => name?.text === 'meaning');
  return plainText(row?.[1]?.tokens ?? []);
}

function operationPlaces(file: string, kind: Kind, base: string, part: string): Found[] {
  const document = JSON.parse(readFileSync(repositoryFile(file), 'utf8')) as OpenApiDocument;
  return operationsOf(document).map(
    ({ method, path, operation: { operationId, summary, description, tags } }) => ({
      kind,
      title: `${operationId}: ${summary}`,
      page: `${method} ${base}${path}`,
      names: `${method} ${base}${path}`,
      address: `docs/reference#${part}/tag/${tags[0]?.toLowerCase().replaceAll(' ', '-')}/${operationId}`,
      text: plainText(marked.lexer(description)),
    }),
  );
}

/** Where the headings are that had an address on the page of all guides. */
export function oldAddresses(guides: readonly Guide[]): Record<string, string> {
  const slugger = new GithubSlugger();
  const byPath = new Map(guides.map((guide) => [guide.path, guide]));
  const ordered = [...OLD_ORDER, ...GUIDES.filter((path) => !OLD_ORDER.includes(path))];
  const pairs = ordered.flatMap((path) => {
    const guide = byPath.get(path);
    return (guide?.sections ?? []).map(({ slug, depth, title }) => {
      const place = depth === 1 ? '' : `#${slug}`;
      return [slugger.slug(title), `docs/${guide?.name}${place}`] as const;
    });
  });
  return Object.fromEntries(pairs);
}

/** The order of the page of all guides, which decided between headings of the same name. */
const OLD_ORDER: readonly string[] = [
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
];
