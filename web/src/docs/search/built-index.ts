import index from 'virtual:search-index';
import { DocsSearch } from './search.ts';

/** The index of the build. Only who opens the search loads it. */
export const search = DocsSearch.read(index.search);

/** The addresses of the guides' headings when all guides were one page: `#v1/description/<slug>`. */
export const oldAddresses: Readonly<Record<string, string>> = index.oldAddresses;
