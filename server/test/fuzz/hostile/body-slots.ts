import {
  type DocumentedOperation,
  type OpenApiDocument,
  type OperationObject,
  resolved,
  type Schema,
} from '../../support/openapi-document.ts';

type Example = Schema & { readonly example?: unknown };

/** A place in the body of an operation. */
export interface BodySlot {
  readonly place: string;
  readonly sample: string;
  readonly size: number;
  readonly isJson: boolean;
  withBody(text: string): string;
}

const KIB = 1_024;
/** The maximum length of the rest of a body. */
const MARGIN = 400;

/** The body as a whole, each member, and each member of the elements of an array: in one of them, and in all. */
export function bodySlots(documented: DocumentedOperation): BodySlot[] {
  const { document, operation } = documented;
  if (!operation.requestBody) return [];
  const size = maxBodyBytes(operation) - MARGIN;
  const example = exampleBody(documented);
  const members = Object.entries(bodySchema(documented).properties ?? {});
  return [
    { place: 'body', sample: asciiJson(example), size, isJson: true, withBody: (text) => text },
    ...members.flatMap(([name, schema]) => [
      ...valueSlots(`member ${name}`, resolved(document, schema), size, (json) =>
        withMember(example, name, json),
      ),
      ...elementSlots(document, name, schema, size),
    ]),
  ];
}

/** The example of an operation's body. */
export function exampleBody(documented: DocumentedOperation): object {
  return ((bodySchema(documented) as Example).example ?? {}) as object;
}

/** The members of a body's elements or of the body that take a text, with a body that has it. */
function elementSlots(document: OpenApiDocument, member: string, schema: Schema, size: number): BodySlot[] {
  const { items, maxItems = 1 } = resolved(document, schema);
  if (!items) return [];
  const element = resolved(document, items) as Example;
  const example = (element.example ?? {}) as object;
  const bodyOf = (rows: readonly string[]) => `{"${member}":[${rows.join()}]}`;
  const filled = (row: string) => {
    const count = Math.min(maxItems - 1, Math.floor(size / (Buffer.byteLength(row) + 1)));
    return bodyOf(Array<string>(Math.max(1, count)).fill(row));
  };
  return Object.entries(membersOf(document, element)).flatMap(([name, one]) => [
    ...valueSlots(`element of ${member}, ${name}`, resolved(document, one), size, (json) =>
      bodyOf([withMember(example, name, json)]),
    ),
    ...valueSlots(`rows with ${name}`, resolved(document, one), Math.min(size / 8, 1_000), (json) =>
      filled(withMember(example, name, json)),
    ),
  ]);
}

/** The members of an element, of each kind that it has. */
function membersOf(document: OpenApiDocument, schema: Schema): Readonly<Record<string, Schema>> {
  const { properties, oneOf = [] } = resolved(document, schema);
  return Object.assign({}, properties, ...oneOf.map((one) => membersOf(document, one)));
}

/** A member's value as any JSON, and as text. */
function valueSlots(
  place: string,
  schema: Schema,
  size: number,
  withBody: (json: string) => string,
): BodySlot[] {
  const { example = 1 } = schema as Example;
  return [
    { place: `${place}, as JSON`, sample: asciiJson(example), size, isJson: true, withBody },
    {
      place: `${place}, as text`,
      sample: String(example),
      size,
      isJson: false,
      withBody: (text) => withBody(jsonText(text, size)),
    },
  ];
}

/** JSON with as many bytes as characters, so that shapes have the size that they are given. */
function asciiJson(value: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(/[^ -~]/g, escaped);
}

/** Text as JSON, truncated to fit: some characters take six as escapes. */
function jsonText(text: string, size: number): string {
  const json = JSON.stringify(text);
  const bytes = Buffer.byteLength(json);
  if (bytes <= size) return json;
  return JSON.stringify(text.slice(0, Math.max(1, Math.floor((text.length * size) / bytes) - 6)));
}

function withMember(example: object, name: string, json: string): string {
  const others = Object.entries(example).filter(([other]) => other !== name);
  const members = others.map(([other, value]) => `"${other}":${JSON.stringify(value)}`);
  return `{${[...members, `"${name}":${json}`].join()}}`;
}

/** The maximum length of a body, according to the refusal of a longer one. */
export function maxBodyBytes(operation: OperationObject): number {
  const refusal = operation.responses[413] as { readonly description?: string } | undefined;
  const [, count = '16', unit = 'K'] = /(\d+) ([KM])iB/.exec(refusal?.description ?? '') ?? [];
  return Number(count) * (unit === 'M' ? KIB * KIB : KIB);
}

function bodySchema({ document, operation }: DocumentedOperation): Schema {
  return resolved(document, Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {});
}
