import { escaped } from './guide-html.ts';

/** A page of the documentation, without what all of them have. */
export interface Page {
  readonly title: string;
  readonly description: string;
  /** From the page to the root of the service: `../` below `docs/`, so that a proxy may serve all of it below a prefix. */
  readonly root: '' | '../';
  /** The files that it loads, from the root. */
  readonly styles: readonly string[];
  readonly script: string;
  readonly modules: readonly string[];
  /** More links for the head. */
  readonly links?: string;
  /** The class of the body. */
  readonly kind: 'start' | 'guide' | 'reference';
  readonly body: string;
}

export const TITLE = 'Pet Store Inventory';

/** The whole page. It reads without its script, which adds the search, the colours and the buttons that copy. */
export function pageHtml({
  title,
  description,
  root,
  styles,
  script,
  modules,
  links = '',
  kind,
  body,
}: Page): string {
  // Scalar has a banner of its own on a phone, and a page has one.
  const [bar, label] =
    kind === 'reference' ? ['section', ' aria-label="Search and colours"'] : ['header', ''];
  const current = (page: Page['kind']) => (page === kind ? ' aria-current="page"' : '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<meta name="description" content="${escaped(description)}">
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
${styles.map((file) => `<link rel="stylesheet" href="${root}${file}">`).join('\n')}
<script type="module" src="${root}${script}" blocking="render"></script>
${modules.map((file) => `<link rel="modulepreload" href="${root}${file}">`).join('\n')}
${links}
</head>
<body class="${kind}-page">
<a class="skip" href="#content">Skip to the text</a>
<${bar} class="bar"${label}>
<a class="brand" href="${root}docs">${TITLE}</a>
<nav aria-label="Documentation">
<a href="${root}docs"${current('start')}>Guides</a>
<a href="${root}docs/reference"${current('reference')}>API reference</a>
</nav>
<button type="button" class="search needs-script" aria-haspopup="dialog"><span>Search</span> <kbd>/</kbd></button>
<button type="button" class="colours needs-script">Dark</button>
</${bar}>
${body}
</body>
</html>
`;
}
