import {
  anchor,
  type OpenApiDocument,
  referenceName,
  resolve,
  type Sample,
  type Schema,
} from './document.ts';
import { codeName, type Fragment, type Html, html, joined, markdown } from './html.ts';

/** A schema with its reference followed and the parts of `allOf` made one. */
function merged(document: OpenApiDocument, schema: Schema): Schema {
  const own = resolve(document, schema);
  if (!own.allOf) return own;
  const { allOf, ...rest } = own;
  const parts = [...allOf.map((part) => merged(document, part)), rest];
  return Object.assign({}, ...parts, {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required ?? []),
  });
}

function isObject(schema: Schema): boolean {
  return schema.properties !== undefined && Object.keys(schema.properties).length > 0;
}

/** Names a schema's type; schemas of the document are links to their own description. */
export function typeName(document: OpenApiDocument, schema: Schema): Fragment {
  if (schema.$ref?.startsWith('#/components/schemas/')) {
    const name = referenceName(schema.$ref);
    const isDocumented = Object.hasOwn(document.components?.schemas ?? {}, name);
    return isDocumented ? html`<a href="#${anchor('schema', name)}">${name}</a>` : name;
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) {
    return joined(
      choices.map((choice) => typeName(document, choice)),
      ' or ',
    );
  }
  if (schema.allOf?.length === 1 && schema.allOf[0]) return typeName(document, schema.allOf[0]);
  const own = merged(document, schema);
  if (own.items) return ['array of ', typeName(document, own.items)];
  const type = typeof own.type === 'string' ? own.type : own.type?.join(' or ');
  return [type ?? (isObject(own) ? 'object' : 'any'), own.format !== undefined && ` (${own.format})`];
}

/** A bound that only repeats what int64 says anyway, and that no JavaScript number can hold exactly. */
function isBeyondExact(schema: Schema, bound: number): boolean {
  return schema.format === 'int64' && Math.abs(bound) >= 2 ** 63;
}

function bounds(schema: Schema): Fragment[] {
  const numbers = [
    ['at least', schema.minimum],
    ['more than', schema.exclusiveMinimum],
    ['at most', schema.maximum],
    ['less than', schema.exclusiveMaximum],
  ] as const;
  const values = [
    ...numbers.filter(([, bound]) => bound !== undefined && !isBeyondExact(schema, bound)),
    ['multiple of', schema.multipleOf],
    ['shortest length', schema.minLength],
    ['longest length', schema.maxLength],
    ['fewest items', schema.minItems],
    ['most items', schema.maxItems],
    ['pattern', schema.pattern],
    ['default', schema.default],
    ['always', schema.const],
  ] as const;
  return values
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => {
      return html`<li>${label} <code>${typeof value === 'string' ? value : JSON.stringify(value)}</code></li>`;
    });
}

/** What a value must satisfy beside its type: bounds, allowed values, default. */
export function constraints(document: OpenApiDocument, schema: Schema): Html {
  const own = merged(document, schema);
  const allowed = own.enum?.map((value) => html`<code>${String(value)}</code>`);
  const list = bounds(own);
  if (own.uniqueItems) list.push(html`<li>no item twice</li>`);
  return html`${allowed && html`<p class="values">One of ${joined(allowed, ' ')}</p>`}${
    list.length > 0 && html`<ul class="bounds">${list}</ul>`
  }`;
}

export interface Row {
  readonly name: string;
  readonly schema: Schema;
  readonly description?: string | undefined;
  readonly isRequired: boolean;
  readonly isDeprecated?: boolean | undefined;
}

function rows(document: OpenApiDocument, schema: Schema, prefix = ''): Row[] {
  const own = merged(document, schema);
  return Object.entries(own.properties ?? {}).flatMap(([name, property]) => {
    const row = {
      name: prefix + name,
      schema: property,
      description: property.description ?? merged(document, property).description,
      isRequired: own.required?.includes(name) ?? false,
      isDeprecated: property.deprecated,
    };
    const inner = property.items ?? property;
    const innerPrefix = `${row.name}${property.items ? '[]' : ''}.`;
    // A reference is linked, not unfolded: it has its own section, and it may lead back here.
    return inner.$ref === undefined ? [row, ...rows(document, inner, innerPrefix)] : [row];
  });
}

/** A table of named values: parameters, headers, or members of an object. */
export function valueTable(document: OpenApiDocument, columns: string, values: readonly Row[]): Html {
  const body = values.map(
    (row) => html`<tr>
<th scope="row"><span class="name">${codeName(row.name)}</span> <span class="type">${typeName(document, row.schema)}</span>
${row.isRequired && html`<span class="required">required</span>`}
${row.isDeprecated === true && html`<span class="badge deprecated">Deprecated</span>`}</th>
<td>${markdown(row.description)}${constraints(document, row.schema)}</td>
</tr>`,
  );
  return html`<table class="rows"><thead><tr><th scope="col">${columns}</th><th scope="col">Meaning</th></tr></thead>
<tbody>${body}</tbody></table>`;
}

/** Describes a schema whole: its members as a table, or its type and constraints. */
export function schemaTable(document: OpenApiDocument, schema: Schema): Html {
  const own = merged(document, schema);
  const target = own.items && own.items.$ref === undefined ? own.items : own;
  const members = rows(document, target);
  if (members.length > 0) return valueTable(document, 'Member', members);
  return html`<p class="type">${typeName(document, own)}</p>${constraints(document, own)}`;
}

const TEXT_OF_FORMAT: Record<string, string> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'someone@example.com',
  uri: 'https://example.com',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
};

function plainExample(schema: Schema): unknown {
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.find((name) => name !== 'null');
  if (type === 'string') return TEXT_OF_FORMAT[schema.format ?? ''] ?? 'string';
  if (type === 'boolean') return true;
  if (type === 'object') return {};
  if (type !== 'integer' && type !== 'number') return null;
  const least = schema.minimum ?? (schema.exclusiveMinimum === undefined ? 1 : schema.exclusiveMinimum + 1);
  return Math.min(Math.max(1, least), schema.maximum ?? Number.MAX_SAFE_INTEGER);
}

/** Makes an example that fits a schema, from its own examples where it has them. */
export function exampleOfSchema(
  document: OpenApiDocument,
  schema: Schema,
  path: readonly string[] = [],
): unknown {
  // A schema that holds itself ends at its second visit.
  if (schema.$ref !== undefined && path.includes(schema.$ref)) return null;
  const own = merged(document, schema);
  const given = [own.example, own.examples?.[0], own.const, own.default, own.enum?.[0]];
  const first = given.find((value) => value !== undefined);
  if (first !== undefined) return first;
  const inside = schema.$ref === undefined ? path : [...path, schema.$ref];
  if (own.items) return [exampleOfSchema(document, own.items, inside)];
  if (isObject(own)) {
    const members = Object.entries(own.properties ?? {});
    return Object.fromEntries(
      members.map(([name, property]) => [name, exampleOfSchema(document, property, inside)]),
    );
  }
  const choice = (own.oneOf ?? own.anyOf)?.[0];
  return choice ? exampleOfSchema(document, choice, inside) : plainExample(own);
}

/** The example of a parameter, a header or a body: the document's own, else one made from the schema. */
export function exampleOf(document: OpenApiDocument, sample: Sample): unknown {
  if (sample.example !== undefined) return sample.example;
  const named = Object.values(sample.examples ?? {})[0];
  if (named) return resolve(document, named).value;
  return sample.schema && exampleOfSchema(document, sample.schema);
}
