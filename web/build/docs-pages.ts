import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Plugin } from 'vite';
import { type OpenApiDocument, operationsOf } from '../src/docs/document.ts';
import { editDates } from './edit-dates.ts';
import { contentsHtml, escaped, guideHtml, titleHtml } from './guide-html.ts';
import { COLLECTIONS, type Guide, GUIDE_GROUPS, GUIDES, readGuides, repositoryFile } from './guides.ts';
import { type Page, pageHtml, TITLE } from './page-frame.ts';

/** The entries of the build that the pages load. */
export const DOCS_ENTRIES = { guide: 'src/docs/guide.ts', reference: 'src/docs/reference/main.ts' } as const;

interface Chunk {
  readonly type: 'chunk';
  readonly fileName: string;
  readonly name: string;
  readonly isEntry: boolean;
  readonly imports: readonly string[];
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> };
}

type Files = Pick<Page, 'styles' | 'script' | 'modules'>;

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Writes `docs.html`, the list of all guides, `docs/<guide>.html`, and `docs/reference.html`. */
export function docsPages(): Plugin {
  const pictures = new Map<string, string>();
  return {
    name: 'docs-pages',
    apply: 'build',
    buildStart() {
      readGuides((path) => {
        const source = readFileSync(repositoryFile(path));
        pictures.set(path, this.emitFile({ type: 'asset', name: basename(path), source }));
        return '';
      });
    },
    generateBundle: {
      // The style sheets have their names then.
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter(
          (file): file is Chunk & typeof file => file.type === 'chunk',
        );
        const guides = readGuides((path) => `../${this.getFileName(pictures.get(path) ?? '')}`);
        const pages = pagesOf(guides, editDates(GUIDES), {
          guide: filesOf('guide', chunks),
          reference: filesOf('reference', chunks),
        });
        for (const [fileName, page] of pages)
          this.emitFile({ type: 'asset', fileName, source: pageHtml(page) });
      },
    },
  };
}

/** What an entry loads: its script, what that imports, and the style sheets of both. */
function filesOf(name: keyof typeof DOCS_ENTRIES, chunks: readonly Chunk[]): Files {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const entry = chunks.find((chunk) => chunk.isEntry && chunk.name === name);
  if (!entry) throw new Error(`The build has no entry ${name}.`);
  const needed = new Set([entry]);
  // A set goes on with what is added meanwhile.
  for (const { imports } of needed) {
    for (const file of imports) {
      const chunk = byFile.get(file);
      if (chunk) needed.add(chunk);
    }
  }
  // The styles of what is imported come first.
  const styles = [...needed]
    .toReversed()
    .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
  const modules = [...needed].slice(1).map(({ fileName }) => fileName);
  return { script: entry.fileName, modules, styles: [...new Set(styles)] };
}

/** The pages by the names of their files. */
export function pagesOf(
  guides: readonly Guide[],
  dates: ReadonlyMap<string, string>,
  files: { readonly guide: Files; readonly reference: Files },
): Map<string, Page> {
  const guidePages = guides.map((guide, index): [string, Page] => {
    const [before, next] = [guides[index - 1], guides[index + 1]];
    const links = [
      before && `<link rel="prev" href="${before.name}">`,
      next && `<link rel="next" href="${next.name}">`,
    ];
    return [
      `docs/${guide.name}.html`,
      {
        ...files.guide,
        title: `${guide.title} · ${TITLE}`,
        description: guide.description,
        root: '../',
        links: links.filter(Boolean).join('\n'),
        kind: 'guide',
        body: guideBody(guides, guide, dates.get(guide.path), before, next),
      },
    ];
  });
  return new Map([
    ['docs.html', startPage(guides, files.guide)],
    ...guidePages,
    ['docs/reference.html', referencePage(files.reference)],
  ]);
}

function groupsOf(guides: readonly Guide[]): [title: string, guides: Guide[]][] {
  return Object.entries(GUIDE_GROUPS).map(([title, paths]) => [
    title,
    guides.filter(({ path }) => paths.includes(path)),
  ]);
}

function guideBody(
  guides: readonly Guide[],
  guide: Guide,
  date: string | undefined,
  before: Guide | undefined,
  next: Guide | undefined,
): string {
  const list = groupsOf(guides).map(([title, members]) => {
    const items = members.map(
      (one) =>
        `<li><a href="${one.name}"${one === guide ? ' aria-current="page"' : ''}>${titleHtml(one.sections[0]?.title ?? '')}</a></li>`,
    );
    return `<p>${title}</p>\n<ul>\n${items.join('\n')}\n</ul>`;
  });
  const contents = contentsHtml(guide.sections);
  const edited =
    date === undefined
      ? ''
      : `<p class="edited">Last edited <time datetime="${date}">${DAY.format(new Date(date))}</time></p>`;
  const link = (one: Guide | undefined, relation: string, label: string) =>
    one
      ? `<a rel="${relation}" href="${one.name}"><span>${label}</span> ${titleHtml(one.sections[0]?.title ?? '')}</a>`
      : '<span></span>';
  return `<div class="columns">
<nav class="guides" aria-label="Guides">
${list.join('\n')}
</nav>
<main id="content" tabindex="-1">
${contents && `<nav class="contents" aria-label="On this page"><details open><summary>On this page</summary>\n<ul>\n${contents}\n</ul></details></nav>`}
<article class="guide">
${guideHtml(guide)}
</article>
<footer>
${edited}
<nav class="neighbours" aria-label="Previous and next guide">
${link(before, 'prev', 'Previous')}
${link(next, 'next', 'Next')}
</nav>
</footer>
</main>
</div>`;
}

function startPage(guides: readonly Guide[], files: Files): Page {
  const groups = groupsOf(guides).map(([title, members]) => {
    const items = members.map(
      ({ name, sections, description }) =>
        `<li><a href="docs/${name}">${titleHtml(sections[0]?.title ?? '')}</a><p>${escaped(description)}</p></li>`,
    );
    return `<section><h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul></section>`;
  });
  return {
    ...files,
    title: `${TITLE} · Documentation`,
    description: `Guides, API reference and search of ${TITLE}, a stock service for pet shops.`,
    root: '',
    kind: 'start',
    body: `<main id="content" tabindex="-1" class="start">
<h1>Documentation</h1>
<p>${TITLE} counts the stock of a pet shop: exact limits, a ledger behind every number, orders and webhooks, over HTTP with JSON.</p>
<div class="groups">
${groups.join('\n')}
<section><h2>Reference</h2>
<ul>
<li><a href="docs/reference">API reference</a><p>Every operation of both interfaces, with requests to try and true responses.</p></li>
<li><a href="openapi.json">openapi.json</a>, <a href="admin/openapi.json">admin/openapi.json</a><p>The same as OpenAPI documents, for programs and generators.</p></li>
<li>${COLLECTIONS.map((path) => `<a href="${basename(path)}">${basename(path)}</a>`).join(', ')}<p>A request for each operation, for Postman, Bruno and Insomnia.</p></li>
<li><a href="llms.txt">llms.txt</a>, <a href="llms-full.txt">llms-full.txt</a><p>The guides as text, for programs that read.</p></li>
</ul></section>
</div>
</main>`,
  };
}

/** The operations as a list, until the script has replaced it. */
function referencePage(files: Files): Page {
  const interfaces = [
    { title: 'API', file: 'openapi.json', base: '/v1', slug: 'v1' },
    { title: 'Management API', file: 'admin-openapi.json', base: '/admin/v1', slug: 'admin' },
  ].map(({ title, file, base, slug }) => {
    const document = JSON.parse(readFileSync(repositoryFile(file), 'utf8')) as OpenApiDocument;
    const operations = operationsOf(document);
    const parts = document.tags.map(({ name }) => {
      const items = operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(
          ({ method, path, operation }) =>
            `<li><code>${method} ${base}${path}</code> ${escaped(operation.summary)}</li>`,
        );
      return items.length === 0 ? '' : `<h3>${name}</h3>\n<ul>\n${items.join('\n')}\n</ul>`;
    });
    return `<section id="list-${slug}"><h2>${title}</h2>\n${parts.join('\n')}</section>`;
  });
  return {
    ...files,
    title: `API reference · ${TITLE}`,
    description: `Every operation of ${TITLE}: parameters, responses, error codes and requests to try.`,
    root: '../',
    kind: 'reference',
    body: `<div id="content" tabindex="-1">
<main id="operations" class="guide">
<h1>API reference</h1>
<p id="loading">This is the list of all operations. <a href="../openapi.json">openapi.json</a> and <a href="../admin/openapi.json">admin/openapi.json</a> describe them whole.</p>
${interfaces.join('\n')}
</main>
<div id="reference"></div>
</div>`,
  };
}
