import { codePanel, curlCommand, jsonCode, shellCode } from './code.ts';
import {
  anchor,
  type DocumentedOperation,
  listOperations,
  type OpenApiDocument,
  type Schema,
} from './document.ts';
import { codeName, type Fragment, type Html, html, markdown } from './html.ts';
import { operationSection } from './operation.ts';
import { exampleOfSchema, schemaTable } from './schema.ts';
import { generalSections, headersEverywhere, type Section } from './sections.ts';

/** Operations under their first tag, in the order of the document's tags. */
interface Group {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly operations: readonly DocumentedOperation[];
}

function groupOperations(document: OpenApiDocument, operations: readonly DocumentedOperation[]): Group[] {
  const described = new Map(document.tags?.map(({ name, description }) => [name, description]));
  const names = new Set([...described.keys(), ...operations.map(({ group }) => group)]);
  return [...names]
    .map((name) => ({
      id: anchor('tag', name),
      name,
      description: described.get(name),
      operations: operations.filter(({ group }) => group === name),
    }))
    .filter((group) => group.operations.length > 0);
}

function introduction(document: OpenApiDocument, first: DocumentedOperation | undefined): Html {
  const { title, version, description } = document.info;
  const id = anchor('section', 'introduction');
  return html`<section class="split introduction" id="${id}" aria-labelledby="${id}-title">
<div class="text"><h1 id="${id}-title">${title} <span class="product">API reference</span></h1>
<p class="facts"><span class="badge version">Version ${version}</span> <a href="openapi.json">OpenAPI document</a></p>
${markdown(description)}</div>
${first && html`<div class="code">${codePanel('A first request', shellCode(curlCommand(document, first)))}</div>`}
</section>
`;
}

function groupSection(document: OpenApiDocument, group: Group, everywhere: Set<string>): Html {
  const { id, name, description, operations } = group;
  return html`<section class="group" id="${id}" aria-labelledby="${id}-title">
<div class="group-title"><h2 id="${id}-title"><a class="self" href="#${id}">${name}</a></h2>${markdown(description)}</div>
${operations.map((operation) => operationSection(document, operation, everywhere))}</section>
`;
}

function schemaSection(document: OpenApiDocument, name: string, schema: Schema): Html {
  const id = anchor('schema', name);
  return html`<section class="split schema" id="${id}" aria-labelledby="${id}-title">
<div class="text"><h3 id="${id}-title"><a class="self" href="#${id}">${codeName(name)}</a></h3>
${markdown(schema.description)}${schemaTable(document, schema)}</div>
<div class="code">${codePanel(name, jsonCode(exampleOfSchema(document, schema)))}</div>
</section>
`;
}

function schemasSection(document: OpenApiDocument): Fragment {
  const schemas = Object.entries(document.components?.schemas ?? {});
  if (schemas.length === 0) return undefined;
  const id = anchor('section', 'schemas');
  return html`<section class="group" id="${id}" aria-labelledby="${id}-title">
<div class="group-title"><h2 id="${id}-title"><a class="self" href="#${id}">Schemas</a></h2></div>
${schemas.map(([name, schema]) => schemaSection(document, name, schema))}</section>
`;
}

function navigationLink(operation: DocumentedOperation): Html {
  const { id, method, title, deprecated } = operation;
  const stability = operation['x-stability'];
  const note = deprecated === true ? 'deprecated' : stability !== 'stable' && stability;
  return html`<li><a href="#${id}"${deprecated === true && html` class="gone"`}><span class="verb v-${method.toLowerCase()}">${method}</span>
<span class="label">${title}</span>${note && html` <span class="nav-note">${note}</span>`}</a></li>`;
}

function navigation(document: OpenApiDocument, sections: readonly Section[], groups: readonly Group[]): Html {
  const schemas = Object.keys(document.components?.schemas ?? {});
  const list = (heading: string, items: Fragment) =>
    html`<p class="nav-title">${heading}</p><ul>${items}</ul>`;
  const link = (id: string, label: Fragment) => html`<li><a href="#${id}">${label}</a></li>`;
  return html`<nav id="page-navigation" aria-label="Reference">
<a class="close" href="#page-content">Close</a>
${list('Overview', [
  link(anchor('section', 'introduction'), 'Introduction'),
  sections.map(({ id, title }) => link(id, title)),
])}
${groups.map(({ name, operations }) => list(name, operations.map(navigationLink)))}
${
  schemas.length > 0 &&
  list(
    'Schemas',
    schemas.map((name) => link(anchor('schema', name), codeName(name))),
  )
}
</nav>`;
}

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#0f766e"><circle cx="5" cy="11" r="2.4"/><circle cx="9.5" cy="6" r="2.4"/><circle cx="14.5" cy="6" r="2.4"/><circle cx="19" cy="11" r="2.4"/><path d="M12 11c3 0 6 4 6 7 0 2-1.500 3-3 3-1 0-2-.6-3-.6s-2 .6-3 .6c-1.500 0-3-1-3-3 0-3 3-7 6-7z"/></svg>',
)}`;

/**
 * The reference of the interface as one HTML page, made from nothing but its OpenAPI 3.1 document. It has no
 * script, loads nothing but its style sheet, and its own links are relative to the folder of `openapi.json`.
 */
export function renderDocs(document: OpenApiDocument): string {
  const operations = listOperations(document);
  const sections = generalSections(document);
  const groups = groupOperations(document, operations);
  const everywhere = new Set(headersEverywhere(document).map(({ name }) => name));
  const { title, version, license } = document.info;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} API reference</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="docs/style.css">
</head>
<body>
<a class="skip" href="#page-content">Skip to content</a>
<header class="top"><a class="brand" href="#page-content"><img src="${ICON}" alt="" width="22" height="22"> ${title}</a>
<a class="menu" href="#page-navigation">Contents</a></header>
${navigation(document, sections, groups)}
<main id="page-content" tabindex="-1">
${introduction(document, operations[0])}${sections.map(({ body }) => body)}
${groups.map((group) => groupSection(document, group, everywhere))}${schemasSection(document)}</main>
<footer><p>${title}, version ${version}${license && ` · ${license.name} license`}. Made from <a href="openapi.json">openapi.json</a>.</p></footer>
</body>
</html>
`.markup;
}
