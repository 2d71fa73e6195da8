import '@fontsource-variable/inter/index.css';
import '../theme/tokens.css';
import scalarUrl from 'virtual:scalar-bundle';
import './docs.css';
import './guides.css';
import './loading.css';
import { type OpenApiDocument, operationsOf } from './document.ts';
import { Guides } from './guides.ts';
import { type ReferenceOptions, referenceOf } from './reference.ts';

/** The parts of the page. Their names begin the addresses of everything in them. */
const CLIENT = 'v1';
const MANAGEMENT = 'admin';

const MANAGEMENT_INTRODUCTION = `The interface of the dashboard and of operators' programs. The guide
[Management](#${CLIENT}/description/management) explains roles and sign-in. [admin/openapi.json](admin/openapi.json) is its document; all guides are with the [API](#${CLIENT}).`;

/** The address of the service in the sources of the guides. */
const WRITTEN = 'http://localhost:8080';

/** How long a button that copied says so. */
const SHOWN_MS = 2_000;

/** What Scalar would make samples for, except curl. Some of these round large integers. */
const OTHER_LANGUAGES = [
  ...['c', 'clojure', 'csharp', 'dart', 'fsharp', 'go', 'http', 'java', 'js', 'julia', 'kotlin', 'node'],
  ...['objc', 'ocaml', 'php', 'powershell', 'python', 'r', 'ruby', 'rust', 'swift'],
];

const OPTIONS = {
  agent: { disabled: true },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // What it offers has the headings of the guides inside.
  documentDownloadType: 'none',
  generateOperationSlug: ({ operationId = '' }: { operationId?: string }) => operationId,
  hiddenClients: Object.fromEntries(OTHER_LANGUAGES.map((language) => [language, true])),
  hideClientButton: true,
  mcp: { disabled: true },
  persistAuth: false,
  proxyUrl: '',
  showDeveloperTools: 'never',
  telemetry: false,
  theme: 'none',
  withDefaultFonts: false,
} as const;

interface Scalar {
  createApiReference(place: string, options: object): unknown;
}

async function load(path: string): Promise<OpenApiDocument> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as OpenApiDocument;
}

function loadScalar(): Promise<Scalar> {
  // Its library for schemas would try whether eval is allowed.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  const script = document.createElement('script');
  script.src = scalarUrl;
  return new Promise((resolve, reject) => {
    script.onload = () => resolve((globalThis as unknown as { Scalar: Scalar }).Scalar);
    script.onerror = () => reject(new Error(`${scalarUrl} did not load.`));
    document.head.append(script);
  });
}

/** The address of a heading of the guides. */
function addressOf(slug: string): string {
  return `#${CLIENT}/description/${slug}`;
}

/** Scalar takes some underscores of error codes as emphasis, in its list of headings in another way than in the text. */
function headingSlugs(...documents: readonly OpenApiDocument[]) {
  const codes = documents.flatMap((one) => Object.keys(one['x-error-codes']));
  const bySlug = new Map(codes.map((code) => [code.replaceAll('_', ''), code]));
  return ({ slug }: { slug: string }) => addressOf(bySlug.get(slug.replaceAll(/[-_]/g, '')) ?? slug).slice(1);
}

/** Leads short addresses such as `/docs#not_found` to the guides. */
function openGuide(guides: Guides): void {
  const name = location.hash.slice(1);
  if (guides.has(addressOf(name).slice(1))) location.replace(addressOf(name));
}

/** Leads short addresses such as `/docs#getPet`, which headers of responses have, to the operations. */
function openOperation(api: OpenApiDocument): void {
  const name = location.hash.slice(1);
  const found = operationsOf(api).find(({ operation }) => operation.operationId === name)?.operation;
  const [tag] = found?.tags ?? [];
  if (tag) history.replaceState(null, '', `#${CLIENT}/tag/${tag.toLowerCase()}/${name}`);
}

async function start(guides: Guides): Promise<void> {
  showChosenColours();
  const [scalar, api, management] = await Promise.all([
    loadScalar(),
    load('openapi.json'),
    load('admin/openapi.json'),
  ]);
  openOperation(api);
  const options = (serverPath: string, introduction: string): ReferenceOptions => ({
    serverUrl: new URL(serverPath, document.baseURI).href,
    hasSamples: serverPath === CLIENT,
    introduction,
    errorAddress: addressOf,
  });
  guides.cover();
  scalar.createApiReference('#docs', {
    ...OPTIONS,
    plugins: [() => ({ name: 'guides', extensions: [], markdown: guides.show })],
    sources: [
      {
        title: 'API',
        slug: CLIENT,
        content: referenceOf(api, options(CLIENT, guides.headings)),
        generateHeadingSlug: headingSlugs(api, management),
        hiddenClients: true,
      },
      {
        title: 'Management API',
        slug: MANAGEMENT,
        content: referenceOf(management, options('admin/v1', MANAGEMENT_INTRODUCTION)),
      },
    ],
  });
}

/** Scalar stores which colours the reader chose. */
function showChosenColours(): void {
  const chosen = localStorage.getItem('colorMode');
  if (chosen === 'light' || chosen === 'dark') document.body.classList.add(`${chosen}-mode`);
}

const root = document.getElementById('guides') as HTMLElement;
const guides = new Guides(root);
copyOnClick();
showOwnAddress(root);
openGuide(guides);
start(guides).catch((error: unknown) => {
  const loading = document.getElementById('loading');
  if (loading) loading.textContent = `The search and the reference did not load: ${String(error)}`;
});

/** Buttons beside the code of the guides copy it. */
function copyOnClick(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('.guide button.copy') : null;
    const code = button?.parentElement?.querySelector('code')?.textContent;
    if (button && code !== undefined) void copy(button, code ?? '');
  });
}

async function copy(button: HTMLElement, text: string): Promise<void> {
  const show = (label: string) => {
    button.textContent = label;
  };
  // Browsers have no clipboard on a page without TLS.
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  show(isCopied ? 'Copied' : 'Not allowed');
  setTimeout(show, SHOWN_MS, 'Copy');
}

/** Lets the commands of the guides call the service that shows them. */
function showOwnAddress(guides: HTMLElement): void {
  const own = new URL('.', document.baseURI).href.replace(/\/$/, '');
  for (const code of guides.querySelectorAll('pre code')) {
    if (!code.textContent?.includes(WRITTEN)) continue;
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      text.nodeValue = (text.nodeValue ?? '').replaceAll(WRITTEN, own);
    }
  }
}
