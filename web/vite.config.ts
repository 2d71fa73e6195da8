import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { OUTPUT } from './build/chunks.ts';
import { compressedFiles } from './build/compressed-files.ts';
import { DOCS_ENTRIES, docsPages } from './build/docs-pages.ts';
import { fetchFirst } from './build/fetch-first.ts';
import { FIRST_ROWS_ENTRY, firstRows } from './build/first-rows.ts';
import { llmsTexts } from './build/llms.ts';
import { otherLicenses } from './build/other-licenses.ts';
import { scalarBundle } from './build/scalar-bundle.ts';
import { searchIndex } from './build/search-index.ts';
import { serviceWorker } from './build/service-worker.ts';
import { sizeBudget } from './build/size-budget.ts';

// The service that "npm run dev" calls, and a management key for it if the pages have no session yet.
const SERVICE = process.env.PETSTORE_URL ?? 'http://localhost:8080';

const LICENSES = 'licenses.txt';

export default defineConfig({
  plugins: [
    react(),
    fetchFirst(),
    firstRows(),
    scalarBundle(),
    searchIndex(),
    docsPages(),
    llmsTexts(),
    sizeBudget(),
    serviceWorker(),
    compressedFiles(),
    otherLicenses(LICENSES),
  ],
  build: {
    target: 'es2024',
    // A higher target keeps light-dark() as it is; Vite's fallback sets variables that nothing defines.
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    // The Content-Security-Policy allows no data: address of a font or an image.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
    // Licenses require their text in each copy, and a bundle is one.
    license: { fileName: LICENSES },
    rolldownOptions: {
      input: { dashboard: 'index.html', ...FIRST_ROWS_ENTRY, ...DOCS_ENTRIES },
      output: OUTPUT,
    },
  },
  experimental: {
    // A proxy may serve the documentation below a prefix. The pages of the dashboard have paths of any depth.
    renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  worker: { format: 'es' },
  server: {
    port: 5173,
    proxy: { '/admin': { target: SERVICE, changeOrigin: false }, '/v1': { target: SERVICE } },
  },
});
