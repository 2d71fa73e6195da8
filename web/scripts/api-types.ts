import { readFileSync } from 'node:fs';

/** The parts of JSON Schema that the document uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly maximum?: number;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

const DOCUMENT = new URL('../../admin-openapi.json', import.meta.url);
/** Integers of 64 bits that the client reads as text: a number would round them. */
const IDS = new Set(['PetId']);
const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The TypeScript types of all schemas of the management API. */
export function apiTypes(): string {
  const { components } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
    components: { schemas: Record<string, Schema> };
  };
  const types = Object.entries(components.schemas).map(([name, schema]) => {
    const type = IDS.has(name) ? 'string' : typeOf(schema).replaceAll(/(?<=^\{|;) (?=readonly|\})/g, '\n  ');
    return `export type ${name} = ${type};`;
  });
  return `// Written by "npm run openapi" from admin-openapi.json. petIds are texts, because a number would round them.\n\n${types.join('\n\n')}\n`;
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) as string;
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return alternatives.map(typeOf).join(' | ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' & ');
  if (schema.type === 'object') return objectOf(schema);
  if (schema.type === 'array') return `readonly ${grouped(typeOf(schema.items ?? {}))}[]`;
  // An exact integer without a maximum may be larger than a number can be.
  if (schema.type === 'integer' && schema.format === 'int64' && schema.maximum === undefined) {
    return 'number | string';
  }
  const names = [schema.type ?? []].flat();
  if (names.length === 0) return 'unknown';
  return names.map((name) => PRIMITIVES[name] ?? typeOf({ ...schema, type: name })).join(' | ');
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema);
    return required.includes(name) ? `${name}: ${type};` : `${name}?: ${type} | undefined;`;
  });
  if (members.length === 0) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  return `{ ${members.map((member) => `readonly ${member}`).join(' ')} }`;
}

function grouped(type: string): string {
  return type.includes(' ') && !type.startsWith('{') ? `(${type})` : type;
}
