import {
  commentOf,
  componentOf,
  isLargeInteger,
  type Schema,
  type TypeRules,
  typeOf,
} from '../../scripts/schema-types.ts';
import { type Document, eventsOf, type Operation } from './document.ts';

/** The types of all components: exact integers and ISO times in responses, and what is accepted for them in requests. */
export class ClientTypes {
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #sent: ReadonlySet<string>;
  readonly #received: ReadonlySet<string>;
  readonly #errorCodes: Document['x-error-codes'];
  readonly #eventData: Readonly<Record<string, Schema>>;
  readonly output: TypeRules;
  readonly input: TypeRules;

  constructor(document: Document, operations: readonly Operation[]) {
    this.#schemas = document.components.schemas;
    this.#errorCodes = document['x-error-codes'];
    this.#eventData = eventsOf(document);
    this.#sent = this.#reached(
      operations.flatMap(({ body, parameters }) => [body ?? {}, ...parameters.map(({ schema }) => schema)]),
    );
    this.#received = this.#reached([
      ...operations.map(({ result }) => result ?? {}),
      { $ref: 'Error' },
      ...Object.values(this.#eventData),
    ]);
    const shared = { int64: 'bigint', isDescribed: true };
    this.output = { ...shared, dateTime: 'string', nameOf: outputName };
    this.input = { ...shared, dateTime: 'string | Date', nameOf: (name) => this.#inputName(name) };
  }

  /** The declarations of all components, and of the data of events. */
  declarations(): string[] {
    return [...this.#components(), ...this.#events()];
  }

  #events(): string[] {
    const properties = Object.fromEntries(
      Object.entries(this.#eventData).map(([type, schema]) => [`'${type}'`, schema]),
    );
    const required = Object.keys(properties);
    if (required.length === 0) return [];
    const description = 'The `data` of each event of webhooks.';
    return [
      this.#declaration(
        'WebhookEventData',
        { type: 'object', description, properties, required },
        this.output,
      ),
    ];
  }

  #components(): string[] {
    return Object.entries(this.#schemas).flatMap(([name, schema]) => {
      const declarations: string[] = [];
      if (this.#received.has(name) || !this.#differs(name)) {
        declarations.push(this.#declaration(outputName(name), schema, this.output));
      }
      if (this.#sent.has(name) && this.#differs(name)) {
        declarations.push(this.#declaration(this.#inputName(name), schema, this.input));
      }
      return declarations;
    });
  }

  #declaration(name: string, schema: Schema, rules: TypeRules): string {
    const comment = commentOf(schema.description);
    if (name === 'PetIdInput') return `${comment}export type PetIdInput = bigint | number | string;`;
    if (name === 'ErrorCode') {
      const codes = Object.entries(this.#errorCodes).map(
        ([code, { meaning }]) => `\n  /** ${meaning} */\n  | '${code}'`,
      );
      // Open, so that a program can name a code that a later release of the service has.
      return `${comment}export type ErrorCode =${codes.join('')}\n  | (string & {});`;
    }
    const type = typeOf(schema, rules);
    if (schema.type === 'object' && type.startsWith('{')) return `${comment}export interface ${name} ${type}`;
    return `${comment}export type ${name} = ${type};`;
  }

  /** The name for requests: its own if a response has another type for the same component. */
  #inputName(name: string): string {
    return this.#differs(name) && this.#received.has(name) ? `${name}Input` : outputName(name);
  }

  /** Whether requests accept more than responses have. */
  #differs(name: string): boolean {
    return [...this.#reached([{ $ref: name }])].some((reached) =>
      contains(
        this.#schemas[reached] as Schema,
        (schema) => isLargeInteger(schema) || schema.format === 'date-time',
      ),
    );
  }

  /** The components that schemas contain, at any depth. */
  #reached(schemas: readonly Schema[]): Set<string> {
    const names = new Set<string>();
    const visit = (schema: Schema) => {
      contains(schema, ({ $ref }) => {
        const name = $ref && componentOf($ref);
        if (name && !names.has(name)) {
          names.add(name);
          visit(this.#schemas[name] as Schema);
        }
        return false;
      });
    };
    for (const schema of schemas) visit(schema);
    return names;
  }
}

/** Not the name of JavaScript's own class. */
function outputName(name: string): string {
  return name === 'Error' ? 'ErrorBody' : name;
}

/** Whether a schema, or one inside it, passes a test; references are not followed. */
function contains(schema: Schema, test: (schema: Schema) => boolean): boolean {
  const parts = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(schema.oneOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.allOf ?? []),
  ];
  return test(schema) || parts.some((part) => contains(part, test));
}
