import { readFileSync } from 'node:fs';
import { type Schema, type TypeRules, typeOf } from '../../scripts/schema-types.ts';

const DOCUMENT = new URL('../../admin-openapi.json', import.meta.url);
/** Integers of 64 bits that the client reads as text: a number would round them. */
const IDS = new Set(['PetId']);
const RULES: TypeRules = {
  int64: 'number | string',
  dateTime: 'string',
  nameOf: (component) => component,
  isDescribed: false,
};

/** The TypeScript types of all schemas of the management API. */
export function apiTypes(): string {
  const { components } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
    components: { schemas: Record<string, Schema> };
  };
  const types = Object.entries(components.schemas).map(([name, schema]) => {
    const actions = (schema as { readonly 'x-actions'?: readonly string[] })['x-actions'];
    // The dashboard offers them.
    const list = actions ? `export const ACTIVITY_ACTIONS = ${JSON.stringify(actions)} as const;\n` : '';
    return `${list}export type ${name} = ${IDS.has(name) ? 'string' : typeOf(schema, RULES)};`;
  });
  return `// Written by "npm run openapi" from admin-openapi.json. petIds are texts, because a number would round them.\n\n${types.join('\n\n')}\n`;
}
