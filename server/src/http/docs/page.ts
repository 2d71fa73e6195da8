import { codePanel, curlCommand, jsonCode, shellCode } from './code.ts';
import { anchor, type DocumentedOperation, listOperations, type OpenApiDocument } from './document.ts';
import { codeName, type Fragment, type Html, html, markdown } from './html.ts';
import { operationSection } from './operation.ts';
import { exampleOfSchema, schemaTable } from './schema.ts';
import { generalSections, headersEverywhere, type Section } from './sections.ts';

/** The operations of one tag. */
interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly DocumentedOperation[];
}

function introduction(document: OpenApiDocument, first: DocumentedOperation): Html {
  const { title, version, description } = document.info;
  const id = anchor('section', 'introduction');
  return html`<section class="split introduction" id="${id}" aria-labelledby="${id}-title">
<div class="text"><h1 id="${id}-title">${title} <span class="product">API reference</span></h1>
<p class="facts"><span class="badge version">Version ${version}</span> <a href="openapi.json">OpenAPI document</a></p>
${markdown(description)}</div>
<div class="code">${codePanel('A first request', shellCode(curlCommand(document, first)))}</div>
</section>
`;
}

/** A heading above several sections. */
function groupSection(id: string, title: string, description: Fragment, sections: readonly Html[]): Html {
  return html`<section class="group" id="${id}" aria-labelledby="${id}-title">
<div class="group-title"><h2 id="${id}-title"><a class="self" href="#${id}">${title}</a></h2>${description}</div>
${sections}</section>
`;
}

function schemasSection(document: OpenApiDocument): Html {
  const sections = Object.entries(document.components.schemas).map(([name, schema]) => {
    const id = anchor('schema', name);
    return html`<section class="split schema" id="${id}" aria-labelledby="${id}-title">
<div class="text"><h3 id="${id}-title"><a class="self" href="#${id}">${codeName(name)}</a></h3>
${markdown(schema.description)}${schemaTable(document, schema)}</div>
<div class="code">${codePanel(name, jsonCode(exampleOfSchema(document, schema)))}</div>
</section>
`;
  });
  return groupSection(anchor('section', 'schemas'), 'Schemas', undefined, sections);
}

function navigationLink(operation: DocumentedOperation): Html {
  const { operationId, method, summary, deprecated } = operation;
  const note = deprecated === true ? 'deprecated' : operation['x-stability'];
  return html`<li><a href="#${operationId}"${deprecated === true && html` class="gone"`}><span class="verb v-${method.toLowerCase()}">${method}</span>
<span class="label">${summary}</span>${note && html` <span class="nav-note">${note}</span>`}</a></li>`;
}

function navigation(document: OpenApiDocument, sections: readonly Section[], groups: readonly Group[]): Html {
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
${list(
  'Schemas',
  Object.keys(document.components.schemas).map((name) => link(anchor('schema', name), codeName(name))),
)}
</nav>`;
}

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#0f766e"><circle cx="5" cy="11" r="2.4"/><circle cx="9.5" cy="6" r="2.4"/><circle cx="14.5" cy="6" r="2.4"/><circle cx="19" cy="11" r="2.4"/><path d="M12 11c3 0 6 4 6 7 0 2-1.500 3-3 3-1 0-2-.6-3-.6s-2 .6-3 .6c-1.500 0-3-1-3-3 0-3 3-7 6-7z"/></svg>',
)}`;

/**
 * The reference of the interface as one HTML page, rendered from our OpenAPI document. It has no script and loads
 * only its style sheet. Its own links are relative to the folder of `openapi.json`.
 */
export function renderDocs(document: OpenApiDocument): string {
  const operations = listOperations(document);
  const first = operations[0] as DocumentedOperation;
  const shared = headersEverywhere(document, operations);
  const everywhere = new Set(shared.map(({ name }) => name));
  const sections = generalSections(document, first, shared);
  const groups = document.tags.map((tag) => {
    return { ...tag, operations: operations.filter(({ tags }) => tags.includes(tag.name)) };
  });
  const groupSections = groups.map(({ name, description, operations: members }) =>
    groupSection(
      anchor('tag', name),
      name,
      markdown(description),
      members.map((operation) => operationSection(document, operation, everywhere)),
    ),
  );
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
${introduction(document, first)}${sections.map(({ body }) => body)}
${groupSections}${schemasSection(document)}</main>
<footer><p>${title}, version ${version} · ${license.name} license. Generated from <a href="openapi.json">openapi.json</a>.</p></footer>
</body>
</html>
`.markup;
}
