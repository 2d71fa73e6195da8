/** A reference to a component; its own description takes precedence (OpenAPI 3.1, Reference Object). */
export interface Reference {
  readonly $ref: string;
  readonly description?: string;
}

export interface HeaderObject {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: object;
  readonly example?: string | number;
}
export interface ParameterObject extends HeaderObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
}
interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
  readonly 'x-error-codes'?: readonly string[];
}

interface Definitions {
  readonly headers: HeaderObject;
  readonly parameters: ParameterObject;
  readonly responses: ResponseObject;
}
type Kind = keyof Definitions;

interface Component {
  readonly kind: Kind;
  readonly name: string;
  readonly definition: object;
}

const described = new Map<string, Component>();

/**
 * Describes a component of the document and returns the reference to it. Modules call it while they load, like
 * `openapi()` of a schema. Operations that describe the same component share it.
 */
export function component<K extends Kind>(kind: K, name: string, definition: Definitions[K]): Reference {
  const $ref = `#/components/${kind}/${name}`;
  const known = described.get($ref);
  if (known && JSON.stringify(known.definition) !== JSON.stringify(definition)) {
    throw new Error(
      `The document has two components ${$ref} that differ. Share one of them, or give the other one a name (component).`,
    );
  }
  if (!known) described.set($ref, { kind, name, definition });
  return { $ref };
}

/** All components, by name: their order does not depend on which module loads first. */
export function components(): readonly Component[] {
  return [...described.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A reference to a schema component. */
export function schemaAt(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` };
}
