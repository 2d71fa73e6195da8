import MiniSearch, { type Options, type Query, type SearchResult } from 'minisearch';
import { queryTerms, synonymsOf, termsOf } from './terms.ts';

export type Kind =
  | 'Guide'
  | 'Client'
  | 'Error'
  | 'Variable'
  | 'Metric'
  | 'Command'
  | 'API'
  | 'Management API';

/** A place of the documentation that the search finds. */
export interface Place {
  readonly id: number;
  readonly kind: Kind;
  /** As it is shown. */
  readonly title: string;
  /** The title of its page. */
  readonly page: string;
  /** From the root of the service, such as `docs/orders#expiry`. */
  readonly address: string;
  /** The first words. */
  readonly excerpt: string;
}

/** A place with all its words. */
export interface Indexed extends Place {
  /** The words of a method and a path, or of a status. */
  readonly names: string;
  readonly text: string;
  /** The share of the place among those with the same words. */
  readonly weight: number;
}

const SHOWN = 20;
const SYNONYM_WEIGHT = 0.5;

const OPTIONS: Options<Indexed> = {
  fields: ['heading', 'names', 'context', 'text'],
  storeFields: ['kind', 'title', 'page', 'address', 'excerpt', 'weight'],
  extractField: fieldOf,
  tokenize: termsOf,
  processTerm: (term) => term,
};

/** Kinds whose titles are identifiers, whose words say less than those of a heading. */
const NAMED: ReadonlySet<Kind> = new Set(['Error', 'Variable', 'Metric', 'API', 'Management API']);

function fieldOf(place: Indexed, name: string): string {
  const { kind, title, page, names } = place;
  const isName = NAMED.has(kind);
  if (name === 'heading') return isName ? '' : title;
  if (name === 'names') return isName ? `${title} ${names}` : names;
  // The words of a page count one time for its own title.
  if (name === 'context') return isName || page === title ? '' : page;
  return String(place[name as keyof Indexed]);
}

/** Places of which a person wrote the name, the method and path, or the begin of an identifier, come before all others. */
function rankOf({ title, page }: Place, query: string): number {
  const names = [...title.split(/, |: /), page].map((name) => name.toLowerCase());
  if (names.includes(query)) return 0;
  return query.includes('_') && names.some((name) => name.startsWith(query)) ? 1 : 2;
}

/** Finds places by words. Made in the build as text, and read again in the browser. */
export class DocsSearch {
  readonly #index: MiniSearch<Indexed>;

  private constructor(index: MiniSearch<Indexed>) {
    this.#index = index;
  }

  static of(places: readonly Indexed[]): DocsSearch {
    const index = new MiniSearch(OPTIONS);
    index.addAll(places);
    return new DocsSearch(index);
  }

  static read(text: string): DocsSearch {
    return new DocsSearch(MiniSearch.loadJSON(text, OPTIONS));
  }

  get text(): string {
    return JSON.stringify(this.#index);
  }

  /** The best places first. Places with all words, or those with some if no place has all. */
  find(query: string): Place[] {
    const terms = queryTerms(query);
    if (terms.length === 0) return [];
    const all = this.#search(terms, 'AND');
    const found = all.length > 0 ? all : this.#search(terms, 'OR');
    const places = found as unknown as (Place & SearchResult)[];
    const name = query.trim().toLowerCase();
    const rank = new Map(places.map((place) => [place, rankOf(place, name)]));
    return places.toSorted((a, b) => Number(rank.get(a)) - Number(rank.get(b))).slice(0, SHOWN);
  }

  #search(terms: readonly string[], combineWith: 'AND' | 'OR'): SearchResult[] {
    const queries = terms.map((term): Query => {
      const synonyms: Query = {
        combineWith: 'OR',
        queries: [...synonymsOf(term)],
        boostTerm: () => SYNONYM_WEIGHT,
      };
      return { combineWith: 'OR', queries: [term, synonyms] };
    });
    return this.#index.search(
      { combineWith, queries },
      {
        boost: { heading: 5, names: 2.5, context: 2 },
        boostDocument: (_id, _term, stored) => Number(stored?.weight),
        // A long section about a subject is no worse than a short one that names it.
        bm25: { k: 1.2, b: 0.3, d: 0.5 },
        // Incomplete words, and words with a slip, are found too.
        prefix: (term) => term.length > 1,
        fuzzy: (term) => (term.length > 4 && /^[a-z]+$/.test(term) ? 0.2 : false),
        weights: { prefix: 0.4, fuzzy: 0.15 },
      },
    );
  }
}
