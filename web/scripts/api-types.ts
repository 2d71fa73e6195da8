import { readFileSync } from 'node:fs';
import { type Schema, type TypeRules, typeOf } from '../../scripts/schema-types.ts';

const DOCUMENT = new URL('../../admin-openapi.json', import.meta.url);
/** Integers of 64 bits that the client reads as text: a number would round them. */
const IDS = new Set(['PetId']);
/** Values that the dashboard offers, so it needs them at run time too. */
const LISTED = new Map([['ActivityAction', 'ACTIVITY_ACTIONS']]);
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
    const list = LISTED.get(name);
    if (list !== undefined) {
      const values = JSON.stringify(schema.enum);
      return `export const ${list} = ${values} as const;\nexport type ${name} = (typeof ${list})[number];`;
    }
    return `export type ${name} = ${IDS.has(name) ? 'string' : typeOf(schema, RULES)};`;
  });
  return `// Written by "npm run openapi" from admin-openapi.json. petIds are texts, because a number would round them.\n\n${types.join('\n\n')}\n`;
}
