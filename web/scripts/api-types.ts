import { readFileSync } from 'node:fs';
import { type Schema, type TypeRules, typeOf } from '../../scripts/schema-types.ts';

const DOCUMENT = new URL('../../admin-openapi.json', import.meta.url);
/** Integers of 64 bits that the client reads as text: a number would round them. */
const IDS = new Set(['PetId']);
/** Types that a member has in place of the name of its schema. */
const PLAIN = /^(?:string|number|boolean)(?: \| null)?$/;

/** The TypeScript types of all schemas of the management API. Lists of words and limits are in the shared package. */
export function apiTypes(): string {
  const { components } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
    components: { schemas: Record<string, Schema> };
  };
  const nameOf = (name: string): string => {
    const type = IDS.has(name) ? 'string' : typeOf(components.schemas[name] ?? {}, rules);
    return PLAIN.test(type) ? type : name;
  };
  const rules: TypeRules = { int64: 'number | string', dateTime: 'string', nameOf, isDescribed: false };
  const types = Object.entries(components.schemas)
    .filter(([name]) => nameOf(name) === name)
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema, rules)};`);
  return `// Written by "npm run openapi" from admin-openapi.json. petIds are texts, because a number would round them.\n\n${types.join('\n\n')}\n`;
}
