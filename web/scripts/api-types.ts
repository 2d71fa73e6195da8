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

/** Lists that the dashboard offers, by their schemas. */
const LISTS: Readonly<Record<string, string>> = {
  PetStatus: 'PET_STATUSES',
  AlertLevel: 'ALERT_LEVELS',
  OrderStatus: 'ORDER_STATUSES',
  UsageUnit: 'USAGE_UNITS',
};
/** Limits of what a person enters, by the schema, or by the member of a schema, that states each. */
const LIMITS = {
  note: 'Note',
  reference: 'ReferenceId',
  petName: 'NewPet.name',
  category: 'NewPet.category',
  accountName: 'AccountCreation.name',
  keyName: 'KeyCreation.name',
  target: 'ActivityEntry.target',
  orderLines: 'OrderPlacement.lines',
  batchChanges: 'InventoryBatch.changes',
  webhookUrl: 'WebhookUrl',
  webhookDescription: 'WebhookDescription',
  webhookPets: 'WebhookPetIds',
  keepDays: 'LedgerPruning.keepDays',
} as const;

interface Limited {
  readonly properties?: Readonly<Record<string, Limited>>;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly 'x-actions'?: readonly string[];
}

function limitOf(schemas: Readonly<Record<string, Limited>>, path: string): number {
  const [name = '', member] = path.split('.');
  const schema = member === undefined ? schemas[name] : schemas[name]?.properties?.[member];
  const limit = schema?.maxLength ?? schema?.maxItems ?? schema?.maximum;
  if (limit === undefined) throw new Error(`${path} has no limit.`);
  return limit;
}

/** The TypeScript types of all schemas of the management API, and the lists and limits that its forms have. */
export function apiTypes(): string {
  const { components } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
    components: { schemas: Record<string, Schema & Limited> };
  };
  const types = Object.entries(components.schemas).map(([name, schema]) => {
    const actions = schema['x-actions'];
    const listName = actions ? 'ACTIVITY_ACTIONS' : LISTS[name];
    const list =
      listName === undefined
        ? ''
        : `export const ${listName} = ${JSON.stringify(actions ?? schema.enum)} as const;\n`;
    return `${list}export type ${name} = ${IDS.has(name) ? 'string' : typeOf(schema, RULES)};`;
  });
  const limits = Object.entries(LIMITS).map(
    ([name, path]) => `  ${name}: ${limitOf(components.schemas, path)},`,
  );
  types.push(
    `/** The longest text, the most items, or the largest number. */\nexport const LIMITS = {\n${limits.join('\n')}\n} as const;`,
  );
  return `// Written by "npm run openapi" from admin-openapi.json. petIds are texts, because a number would round them.\n\n${types.join('\n\n')}\n`;
}
