import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { parseWholeNumber } from '@petstore-inventory/shared/numeral';
import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { isStorableText } from '@petstore-inventory/shared/storable-text';
import { parseTimestamp } from '@petstore-inventory/shared/timestamp';
import { ApiError } from '../../domain/errors.ts';
import { sentValue } from '../request/sent-value.ts';
import { component, type ParameterObject, type Reference, schemaAt } from '../openapi/components.ts';
import { DATE_TIME } from '../openapi/value-schemas.ts';

export const DEFAULT_PAGE_ITEMS = 100;

/** What the document says about a parameter, in the order of its members there. The name is that of its place in `path` or `query`. */
export interface ParameterFacts extends Omit<ParameterObject, 'in' | 'name'> {
  /** The name of the component; by default the place and the name of the parameter. */
  readonly component?: string;
}

/** How the text of a parameter becomes its value. */
export interface Reading<T> {
  /** Follows the name in the message of a refusal: `must be ...`. */
  readonly rule: string;
  /** The value of a text; `undefined` for a text against the rule. */
  readonly parse: (text: string) => T | undefined;
  /**
   * The text of a value, for a link to another page; `String` by default. A method, whose argument TypeScript compares both ways:
   * a parameter prints only values that it has read, so all parameters are a `Parameter<unknown>`.
   */
  print?(value: T): string;
}

/** A parameter of a path or a query: what documents it also reads it, and types it. */
export class Parameter<T> {
  readonly facts: ParameterFacts | Reference;
  /** Whether it excludes all other parameters of the query. */
  readonly isAlone: boolean;
  readonly #reading: Reading<T & {}>;
  /** The value without the parameter; `undefined`: it is required. */
  readonly #absent: { readonly value: T } | undefined;

  constructor(
    facts: ParameterFacts | Reference,
    reading: Reading<T & {}>,
    absent?: { readonly value: T },
    isAlone = false,
  ) {
    this.facts = facts;
    this.isAlone = isAlone;
    this.#reading = reading;
    this.#absent = absent;
  }

  optional(): Parameter<T | undefined> {
    return new Parameter<T | undefined>(this.facts, this.#reading, { value: undefined });
  }

  orElse(value: T & {}): Parameter<T & {}> {
    return new Parameter<T & {}>(this.facts, this.#reading, { value });
  }

  /** An optional parameter that excludes all others of its query. */
  alone(): Parameter<T | undefined> {
    return new Parameter<T | undefined>(this.facts, this.#reading, { value: undefined }, true);
  }

  /** @throws ApiError `invalid_parameter`. */
  read(name: string, text: string | null): T {
    if (text === null && this.#absent) return this.#absent.value;
    const value = text === null ? undefined : this.#reading.parse(text);
    if (value !== undefined) return value;
    if (text === null) throw invalidParameter(`${name} is required; it ${this.#reading.rule}`);
    throw invalidParameter(`${name} ${this.#reading.rule}${sentValue(text)}`);
  }

  print(value: unknown): string {
    return (this.#reading.print ?? String)(value as T & {});
  }

  /** Describes the parameter as a component of the document. */
  documented(place: 'path' | 'query', name: string): Reference {
    if ('$ref' in this.facts) return this.facts;
    const { component: own, ...described } = this.facts;
    const capitalized = name.slice(0, 1).toUpperCase() + name.slice(1);
    return component('parameters', own ?? (place === 'path' ? 'Path' : 'Query') + capitalized, {
      name,
      in: place,
      ...(this.#absent === undefined && !('required' in described) && { required: true }),
      ...described,
    });
  }
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
export type None = Readonly<Record<never, never>>;
export type ValuesOf<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/** The refusal of a parameter. The message names it. */
export function invalidParameter(message: string): ApiError {
  return new ApiError('invalid_parameter', message);
}

/** Reads the parameters of a path. @param textOf The decoded text of one, by its name. */
export function readPath<P extends Parameters>(parameters: P, textOf: (name: string) => string): ValuesOf<P> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(parameters)) values[name] = parameters[name]?.read(name, textOf(name));
  return values as ValuesOf<P>;
}

/** Reads the parameters of a query. @param sent From `parseQuery`. */
export function readQuery<P extends Parameters>(parameters: P, sent: URLSearchParams): ValuesOf<P> {
  const values: Record<string, unknown> = {};
  // A list has many parameters, and a query few of them.
  const texts = new Map(sent);
  for (const name of Object.keys(parameters)) {
    values[name] = parameters[name]?.read(name, texts.get(name) ?? null);
  }
  if (sent.size < 2) return values as ValuesOf<P>;
  for (const name of sent.keys()) {
    if (parameters[name]?.isAlone) throw invalidParameter(`${name} excludes all other parameters.`);
  }
  return values as ValuesOf<P>;
}

/**
 * Splits a query that may have these parameters and no others, each once and without U+0000. An ignored misspelt
 * parameter would return other data than the client wants.
 */
export function parseQuery(query: string, parameters: Parameters): URLSearchParams {
  // URLSearchParams leaves out one question mark at the start, which is part of the first name.
  const sent = new URLSearchParams(`?${query}`);
  const names = new Set<string>();
  for (const [name, text] of sent) {
    if (!Object.hasOwn(parameters, name)) {
      throw invalidParameter(
        `The query parameter ${JSON.stringify(name)} is unknown here. ${knownNames(Object.keys(parameters))}`,
      );
    }
    if (names.has(name)) throw invalidParameter(`Send the query parameter ${name} once.`);
    if (!isStorableText(text)) throw invalidParameter(`${name} must not contain U+0000.`);
    names.add(name);
  }
  return sent;
}

function knownNames(names: readonly string[]): string {
  return names.length === 0 ? 'This operation has none.' : `Known are: ${names.join(', ')}.`;
}

/** A text that no rule restricts: an id, of which the store decides whether something has it. */
export function anyText(facts: ParameterFacts): Parameter<string> {
  return new Parameter(facts, { rule: 'must be a text.', parse: (text) => text });
}

/** A text of a pattern. */
export function matching(pattern: RegExp, rule: string, facts: ParameterFacts): Parameter<string> {
  return new Parameter(facts, { rule, parse: (text) => (pattern.test(text) ? text : undefined) });
}

/** One value of an enumeration. */
export function choice<const T extends string>(
  choices: readonly T[],
  facts: ParameterFacts | Reference,
): Parameter<T> {
  return new Parameter<T>(facts, {
    rule: `must be one of ${choices.join(', ')}.`,
    parse: (text) => choices.find((one) => one === text) as (T & {}) | undefined,
  });
}

/** One or more values of an enumeration, with commas between them. */
export function choices<const T extends string>(
  known: readonly T[],
  facts: ParameterFacts | Reference,
): Parameter<readonly T[]> {
  return new Parameter<readonly T[]>(facts, {
    rule: `must be one or more of ${known.join(', ')}, with commas between them.`,
    parse: (text) => {
      const wanted = new Set(text.split(','));
      const chosen = known.filter((one) => wanted.has(one));
      return chosen.length === wanted.size ? chosen : undefined;
    },
  });
}

/** A whole number from 0 in plain decimal, such as a place in the ledger. */
export function wholeNumber(facts: ParameterFacts | Reference): Parameter<number> {
  return new Parameter<number>(facts, {
    rule: `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`,
    parse: parseWholeNumber,
  });
}

/** A whole number from 1 in plain decimal, such as the id of an order. */
export function positive(facts: ParameterFacts): Parameter<number> {
  return new Parameter<number>(facts, {
    rule: 'must be a whole number from 1 in plain decimal.',
    parse: (text) => parseWholeNumber(text) || undefined,
  });
}

/** A petId, exactly. */
export function petIdParameter(facts: ParameterFacts): Parameter<bigint> {
  return new Parameter<bigint>(facts, {
    rule: 'must be a 64-bit integer in plain decimal, such as 7.',
    parse: parsePetId,
  });
}

/** The pet of a path. */
export const PET_ID = petIdParameter({
  description: 'The id of the pet, an exact 64-bit integer in plain decimal.',
  required: true,
  schema: schemaAt('PetId'),
  example: 7,
});

/** A pet as a filter. */
export const PET_ID_FILTER = petIdParameter({
  component: 'PetIdFilter',
  description: 'Only those of this pet, an exact 64-bit integer in plain decimal.',
  schema: schemaAt('PetId'),
  example: 7,
}).optional();

/** A time in Unix milliseconds, possibly between two of them. */
export function moment(description: string, component?: string): Parameter<number> {
  const facts = { description, schema: DATE_TIME, example: '2026-07-01T12:00:00Z' };
  return new Parameter<number>(component === undefined ? facts : { component, ...facts }, {
    rule: 'must be a date and time with offset, such as 2026-07-01T12:00:00Z (RFC 3339).',
    // An unescaped plus arrives as a space. No valid time has a space there.
    parse: (text) => parseTimestamp(text.replace(/ (?=\d\d:\d\d$)/, '+')),
  });
}

/** The maximum number of items in a page. */
export function limit(
  facts: ParameterFacts,
  { byDefault, max }: { readonly byDefault: number; readonly max: number },
): Parameter<number> {
  const reading: Reading<number> = {
    rule: `must be a whole number from 1 to ${max}.`,
    parse: (text) => {
      const items = parseWholeNumber(text) ?? 0;
      return items >= 1 && items <= max ? items : undefined;
    },
  };
  return new Parameter<number>(facts, reading, { value: byDefault });
}

/** The place where a page begins, as a text that is opaque to clients, so that its content can change. */
interface CursorReading<T> {
  /** The value of the text inside; `undefined` for a text that `print` never returns. */
  readonly parse: (text: string) => T | undefined;
  readonly print?: (value: T) => string;
}

export function cursor<T extends {}>(
  { parse, print = String }: CursorReading<T>,
  facts: Partial<ParameterFacts> = {},
): Parameter<T | undefined> {
  const encode = (value: T) => Buffer.from(print(value)).toString('base64url');
  return new Parameter<T>(
    {
      description: 'The start of the page, from the `Link` header of the page before.',
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 100 },
      ...facts,
    },
    {
      rule: 'must come from the Link header of the page before.',
      parse: (text) => {
        const value = parse(Buffer.from(text, 'base64url').toString('utf8'));
        return value !== undefined && encode(value) === text ? value : undefined;
      },
      print: encode,
    },
  ).optional();
}

const ID = /^[a-z]{3,10}_[0-9A-Za-z]{16}$/;

export const LIMIT = limit(
  {
    description: `Items per page; ${DEFAULT_PAGE_ITEMS} by default.`,
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_PAGE_ITEMS },
    example: DEFAULT_PAGE_ITEMS,
  },
  { byDefault: DEFAULT_PAGE_ITEMS, max: MAX_PAGE_ITEMS },
);

/** The query of a list whose members have an id such as `acc_4fQ2n8Zk1bXw0aLr`. */
export const PAGE = {
  limit: LIMIT,
  cursor: cursor<string>({ parse: (text) => (ID.test(text) ? text : undefined) }),
};

/** The place of an item in a list with the newest first, also after the item was deleted. */
interface Place {
  readonly createdAtMs: number;
  readonly id: string;
}

/** Reads the text of a place; `undefined` for other text. */
export function parsePlace(text: string): Place | undefined {
  const [, createdAt, id = ''] = /^(\d+) (\w+)$/.exec(text) ?? [];
  const createdAtMs = parseWholeNumber(createdAt ?? '');
  return createdAtMs !== undefined && ID.test(id) ? { createdAtMs, id } : undefined;
}

export const printPlace = ({ createdAtMs, id }: Place): string => `${createdAtMs} ${id}`;

/** The query of a list with the newest first, whose members are deleted: the last one of a page may be gone. */
export const NEWEST_PAGE = {
  limit: LIMIT,
  cursor: cursor<Place>({ parse: parsePlace, print: printPlace }),
};

/** The schema of a cursor with a name, of which each character may have four bytes. */
export const NAMED_CURSOR = {
  component: 'NamedCursor',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 600 },
} as const;

/** What to read for a page: one item more than the limit shows that another page follows. */
export function oneMore<T>({ limit: items, cursor: after }: { readonly limit: number; readonly cursor: T }): {
  readonly limit: number;
  readonly after?: T & {};
} {
  return after === undefined || after === null ? { limit: items + 1 } : { limit: items + 1, after };
}
