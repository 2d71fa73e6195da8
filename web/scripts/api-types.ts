import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Schema, type TypeRules, typeOf } from '../../scripts/schema-types.ts';

const DOCUMENT = new URL('../../admin-openapi.json', import.meta.url);
const SOURCES = fileURLToPath(new URL('../src/', import.meta.url));
/** Integers of 64 bits that the client reads as text: a number would round them. */
const IDS = new Set(['PetId']);
/** Types that a member has in place of the name of its schema. */
const PLAIN = /^(?:string|number|boolean)(?: \| null)?$/;

/** The names that sources of the dashboard import from the written file. */
function importedNames(): Set<string> {
  const files = globSync('**/*.{ts,tsx}', { cwd: SOURCES });
  const imports = files.flatMap((file) => [
    ...readFileSync(join(SOURCES, file), 'utf8').matchAll(/\{([^}]*)\} from '[./]*(?:api\/)?schemas\.ts'/g),
  ]);
  return new Set(imports.flatMap(([, names = '']) => names.match(/\b[A-Z]\w*/g) ?? []));
}

/**
 * The TypeScript types of the management API that the dashboard imports, and those that they are made of. Lists of words
 * and limits are in the shared package.
 */
export function apiTypes(): string {
  const { components } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
    components: { schemas: Record<string, Schema> };
  };
  const used = importedNames();
  const nameOf = (name: string): string => {
    const type = IDS.has(name) ? 'string' : typeOf(components.schemas[name] ?? {}, rules);
    return PLAIN.test(type) ? type : name;
  };
  const rules: TypeRules = { int64: 'number | string', dateTime: 'string', nameOf, isDescribed: false };
  const typesOf = new Map<string, string>();
  // A set goes on with what is added meanwhile.
  for (const name of used) {
    const addUsed = (member: string) => {
      const type = nameOf(member);
      if (type === member) used.add(member);
      return type;
    };
    typesOf.set(name, typeOf(components.schemas[name] ?? {}, { ...rules, nameOf: addUsed }));
  }
  const types = Object.keys(components.schemas).flatMap((name) => {
    const type = typesOf.get(name);
    return type === undefined ? [] : [`export type ${name} = ${type};`];
  });
  return `// Written by "npm run openapi" from admin-openapi.json. petIds are texts, because a number would round them.\n\n${types.join('\n\n')}\n`;
}
