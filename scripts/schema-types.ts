/** The parts of JSON Schema that the OpenAPI documents use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly maximum?: number;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** How a package names and reads the types of a document. */
export interface TypeRules {
  /** The type of an integer of 64 bits without a maximum, which a number may not hold. */
  readonly int64: string;
  readonly dateTime: string;
  /** The type for a component, by its name. */
  readonly nameOf: (component: string) => string;
  /** Whether members have the description of their schema as a comment. */
  readonly isDescribed: boolean;
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The TypeScript type of a schema. */
export function typeOf(schema: Schema, rules: TypeRules): string {
  if (schema.$ref) return rules.nameOf(componentOf(schema.$ref));
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return alternatives.map((one) => typeOf(one, rules)).join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => typeOf(one, rules)).join(' & ');
  if (schema.type === 'object') return objectOf(schema, rules);
  if (schema.type === 'array') return `readonly ${grouped(typeOf(schema.items ?? {}, rules))}[]`;
  if (isLargeInteger(schema)) return rules.int64;
  const names = [schema.type ?? []].flat();
  if (names.length === 0) return 'unknown';
  return names.map((name) => primitiveOf(name, schema, rules)).join(' | ');
}

/** The name of a component in a `$ref`. */
export function componentOf(ref: string): string {
  return ref.split('/').at(-1) as string;
}

/** Whether an integer may be larger than a number can be: it has 64 bits and no maximum. */
export function isLargeInteger({ type, format, maximum }: Schema): boolean {
  return type === 'integer' && format === 'int64' && maximum === undefined;
}

function primitiveOf(name: string, schema: Schema, rules: TypeRules): string {
  if (name === 'string' && schema.format === 'date-time') return rules.dateTime;
  return PRIMITIVES[name] ?? typeOf({ ...schema, type: name }, rules);
}

function objectOf(schema: Schema, rules: TypeRules): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.entries(properties).map(([name, member]) => {
    const type = typeOf(member, rules);
    const comment = rules.isDescribed ? commentOf(member.description) : '';
    return `${comment}readonly ${name}${required.includes(name) ? `: ${type}` : `?: ${type} | undefined`};`;
  });
  if (members.length === 0) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, rules) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  return `{\n${indented(members.join('\n'))}\n}`;
}

/** A documentation comment with a line break, or nothing. */
export function commentOf(text: string | undefined): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '* /').split('\n').flatMap(wrapped);
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** A line as lines of at most 100 characters, except for longer words. */
function wrapped(line: string): string[] {
  return line.match(/.{1,100}(?= |$)|\S+/g)?.map((part) => part.trim()) ?? [''];
}

/** Moves lines two columns to the right. */
export function indented(lines: string): string {
  return lines.replaceAll(/^(?=.)/gm, '  ');
}

function grouped(type: string): string {
  return type.includes(' ') && !type.startsWith('{') ? `(${type})` : type;
}
