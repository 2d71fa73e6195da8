import scalarUrl from 'virtual:scalar-bundle';
import samplesUrl from '../../../../docs/response-samples.json?url';
import '../guide.css';
import './scalar.css';
import { type OpenApiDocument, operationsOf } from '../document.ts';
import { root, startFrame } from '../frame.ts';
import { type ReferenceOptions, referenceOf } from './reference.ts';
import type { ResponseSamples } from './response-samples.ts';

/** The parts of the page. Their names begin the addresses of everything in them. */
const CLIENT = 'v1';
const MANAGEMENT = 'admin';

const INTRODUCTION = `[Quick start](quick-start) has the first requests, [Safe writes](safe-writes) what a change needs, and [Errors](errors) each error code.
[openapi.json](../openapi.json) is the document of this page.`;

const MANAGEMENT_INTRODUCTION = `The interface of the dashboard and of operators' programs. The guide
[Management](management) explains roles and sign-in. [admin/openapi.json](../admin/openapi.json) is its document.`;

/** What Scalar would make samples for, except curl. Some of these round large integers. */
const OTHER_LANGUAGES = [
  ...['c', 'clojure', 'csharp', 'dart', 'fsharp', 'go', 'http', 'java', 'js', 'julia', 'kotlin', 'node'],
  ...['objc', 'ocaml', 'php', 'powershell', 'python', 'r', 'ruby', 'rust', 'swift'],
];

const OPTIONS = {
  agent: { disabled: true },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'none',
  generateOperationSlug: ({ operationId = '' }: { operationId?: string }) => operationId,
  hiddenClients: Object.fromEntries(OTHER_LANGUAGES.map((language) => [language, true])),
  hideClientButton: true,
  // The frame of the page has one for all of the documentation, and the choice of colours.
  hideSearch: true,
  hideDarkModeToggle: true,
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

async function load<Value>(url: URL): Promise<Value> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status}`);
  return (await response.json()) as Value;
}

function loadScalar(): Promise<Scalar> {
  // The library for schemas in Scalar would otherwise try whether eval is allowed.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  const script = document.createElement('script');
  script.src = scalarUrl;
  return new Promise((resolve, reject) => {
    script.onload = () => resolve((globalThis as unknown as { Scalar: Scalar }).Scalar);
    script.onerror = () => reject(new Error(`${scalarUrl} did not load.`));
    document.head.append(script);
  });
}

/** Leads short addresses such as `/docs/reference#getPet` to the operations. */
function openOperation(part: string, api: OpenApiDocument): void {
  const name = location.hash.slice(1);
  const found = operationsOf(api).find(({ operation }) => operation.operationId === name)?.operation;
  const [tag] = found?.tags ?? [];
  if (tag) history.replaceState(null, '', `#${part}/tag/${tag.toLowerCase()}/${name}`);
}

/** Scalar shows one of its documents, and another one only when the page loads: a link to that would lead nowhere. */
function loadOtherPart({ oldURL, newURL }: HashChangeEvent): void {
  const partOf = (url: string) => /#(v1|admin)(?:\/|$)/.exec(url)?.[1];
  const part = partOf(newURL);
  if (part === undefined || part !== partOf(oldURL)) location.reload();
}

async function start(): Promise<void> {
  const [scalar, api, management, { v1, admin, errors }] = await Promise.all([
    loadScalar(),
    load<OpenApiDocument>(new URL('openapi.json', root)),
    load<OpenApiDocument>(new URL('admin/openapi.json', root)),
    load<ResponseSamples>(new URL(samplesUrl, root)),
  ]);
  openOperation(CLIENT, api);
  openOperation(MANAGEMENT, management);
  const options = (serverPath: string, introduction: string): ReferenceOptions => ({
    serverUrl: new URL(serverPath, root).href,
    hasSamples: serverPath === CLIENT,
    introduction,
    responses: { operations: serverPath === CLIENT ? v1 : admin, errors },
    errorAddress: (code) => `errors#${code}`,
  });
  scalar.createApiReference('#reference', {
    ...OPTIONS,
    sources: [
      {
        title: 'API',
        slug: CLIENT,
        content: referenceOf(api, options(CLIENT, INTRODUCTION)),
        hiddenClients: true,
      },
      {
        title: 'Management API',
        slug: MANAGEMENT,
        content: referenceOf(management, options('admin/v1', MANAGEMENT_INTRODUCTION)),
      },
    ],
  });
  document.getElementById('operations')?.remove();
}

startFrame();
addEventListener('hashchange', loadOtherPart);
start().catch((error: unknown) => {
  const loading = document.getElementById('loading');
  if (loading) loading.textContent = `The reference did not load: ${String(error)}`;
});
