import {
  anchor,
  type Header,
  type OpenApiDocument,
  referenceName,
  resolve,
  type Schema,
} from './document.ts';
import { codeName, type Fragment, type Html, html, joined, markdown } from './html.ts';

/** Names a schema's type; a schema component is a link to its own description. */
export function typeName(schema: Schema): Fragment {
  if (schema.$ref !== undefined) {
    const name = referenceName(schema.$ref);
    return html`<a href="#${anchor('schema', name)}">${name}</a>`;
  }
  if (schema.oneOf) return joined(schema.oneOf.map(typeName), ' or ');
  if (schema.items) return ['array of ', typeName(schema.items)];
  const types = [schema.type ?? 'any'].flat();
  return [types.join(' or '), schema.format !== undefined && ` (${schema.format})`];
}

/** A bound that only repeats what int64 says anyway, and that no JavaScript number can hold exactly. */
function isBeyondExact(schema: Schema, bound: number): boolean {
  return schema.format === 'int64' && Math.abs(bound) >= 2 ** 63;
}

function bounds(schema: Schema): Fragment[] {
  const numbers = [
    ['at least', schema.minimum],
    ['at most', schema.maximum],
  ] as const;
  const values = [
    ...numbers.filter(([, bound]) => bound !== undefined && !isBeyondExact(schema, bound)),
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

/** What a value must satisfy besides its type: bounds, allowed values, default. */
function constraints(document: OpenApiDocument, schema: Schema): Html {
  const own = resolve(document.components.schemas, schema);
  const allowed = own.enum?.map((value) => html`<code>${String(value)}</code>`);
  const list = bounds(own);
  return html`${allowed && html`<p class="values">One of ${joined(allowed, ' ')}</p>`}${
    list.length > 0 && html`<ul class="bounds">${list}</ul>`
  }`;
}

export interface Row {
  readonly name: string;
  readonly schema: Schema;
  readonly description?: string | undefined;
  readonly isRequired: boolean;
}

function rows(document: OpenApiDocument, schema: Schema, prefix = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const row = {
      name: prefix + name,
      schema: property,
      description: resolve(document.components.schemas, property).description,
      isRequired: schema.required?.includes(name) ?? false,
    };
    // A referenced schema has its own section; its members are not repeated here.
    return property.$ref === undefined ? [row, ...rows(document, property, `${row.name}.`)] : [row];
  });
}

/** A table of named values: parameters, headers, or members of an object. */
export function valueTable(document: OpenApiDocument, columns: string, values: readonly Row[]): Html {
  const body = values.map(
    (row) => html`<tr>
<th scope="row"><span class="name">${codeName(row.name)}</span> <span class="type">${typeName(row.schema)}</span>
${row.isRequired && html`<span class="required">required</span>`}</th>
<td>${markdown(row.description)}${constraints(document, row.schema)}</td>
</tr>`,
  );
  return html`<table class="rows"><thead><tr><th scope="col">${columns}</th><th scope="col">Meaning</th></tr></thead>
<tbody>${body}</tbody></table>`;
}

/** Describes a whole schema: its members as a table, or its type and constraints. */
export function schemaTable(document: OpenApiDocument, schema: Schema): Html {
  const own = resolve(document.components.schemas, schema);
  const members = rows(document, own);
  if (members.length > 0) return valueTable(document, 'Member', members);
  return html`<p class="type">${typeName(own)}</p>${constraints(document, own)}`;
}

/** The example of a schema, composed of the examples of its parts where it has none of its own. */
export function exampleOfSchema(document: OpenApiDocument, schema: Schema): unknown {
  const own = resolve(document.components.schemas, schema);
  const given = [own.example, own.const, own.default, own.enum?.[0]].find((value) => value !== undefined);
  if (given !== undefined) return given;
  if (own.items) return [exampleOfSchema(document, own.items)];
  if (own.oneOf?.[0]) return exampleOfSchema(document, own.oneOf[0]);
  if (!own.properties) return own.minimum;
  const members = Object.entries(own.properties);
  return Object.fromEntries(members.map(([name, property]) => [name, exampleOfSchema(document, property)]));
}

/** The example of a parameter or header: its own, or that of its schema. */
export function exampleOf(document: OpenApiDocument, { example, schema }: Header): unknown {
  return example ?? (schema && exampleOfSchema(document, schema));
}
