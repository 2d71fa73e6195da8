import type { UserConfig } from 'vite';

type Output = NonNullable<NonNullable<UserConfig['build']>['rolldownOptions']>['output'];

/** What the documentation shares with the dashboard, which is little. */
const BASE = /\/(?:@fontsource-variable\/inter|web\/src\/(?:loading\/fetch-first|storage|theme\/tokens))\b/;
/** What the first rows of the stock share with its page. */
const EARLY =
  /\/web\/src\/(?:first-rows\/(?:draw|element|end)|api\/(?:exact-json|service-clock)|theme\/global|texts\/(?:first-words|format|preferred-language)|app\/shell\/(?:shell|navigation|top-bar)\.module|components\/(?:page\/page-header\.module|values\.module)|pages\/stock\/(?:table\/stock-table|toolbar\/stock-toolbar)\.module)/;
/** Alone: in a file of parts, a page of the documentation would load the dashboard. */
const DOCS = /\/web\/src\/docs\//;
const FIRST = /\/(?:node_modules|shared\/src|web\/src\/(?!app\/main|first-rows\/first|docs\/))/;

/**
 * Few files, because each is a request or two: with one file for each set of pages, a first visit took sixty. The dashboard
 * loads one at first, besides a small one that comes before it, and each page its own and those that it shares.
 */
export const OUTPUT: Output = {
  codeSplitting: {
    groups: [
      { name: 'base', test: BASE, priority: 4 },
      { name: 'early', test: EARLY, priority: 3 },
      { name: 'first', test: FIRST, tags: ['$initial'], priority: 2 },
      { name: 'docs', test: DOCS, minShareCount: 2, priority: 2 },
      {
        name: 'parts',
        minShareCount: 2,
        priority: 1,
        entriesAware: true,
        entriesAwareMergeThreshold: 40_000,
      },
    ],
  },
  chunkFileNames: ({ name }) => `assets/${withoutPages(name)}-[hash].js`,
  assetFileNames: ({ names: [name = ''] }) =>
    `assets/${withoutPages(name.replace(/\.\w+$/, ''))}-[hash][extname]`,
};

/** Rolldown appends the pages that share a file. */
const withoutPages = (name: string) => name.replace(/~.*/, '');
