import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { componentOf, type Schema } from '../../scripts/schema-types.ts';
import { ROOT } from '../../test/docs/pages.ts';
import { type Document, type Operation, operationsOf, readDocument } from '../scripts/document.ts';
import { AdminClient } from '../src/admin.ts';
import { PetstoreClient } from '../src/index.ts';
import { runProgram } from './support/programs.ts';

/** The clients, with their names, and what is no operation of each. */
const CLIENTS = [
  {
    document: readDocument('openapi.json'),
    client: PetstoreClient,
    entry: 'index',
    others: ['rateLimits', 'watchInventory'],
  },
  {
    document: readDocument('admin-openapi.json'),
    client: AdminClient,
    entry: 'admin',
    others: ['rateLimits'],
  },
] as const;

for (const { document, client, entry, others } of CLIENTS) {
  const { name } = client;
  const operations = operationsOf(document);

  test(`${name}: every operation of the document is a method, and every method an operation`, () => {
    const { prototype } = client;
    const inherited = Object.getOwnPropertyNames(Object.getPrototypeOf(prototype));
    const names = new Set([...inherited, ...Object.getOwnPropertyNames(prototype)]);
    for (const other of ['constructor', 'call', 'page', ...others]) names.delete(other);
    assert.deepEqual([...names].toSorted(), operations.map(({ id }) => id).toSorted());
  });

  test(`${name}: every method accepts what the document describes, with all members and no other`, async (t) => {
    const lines = operations.flatMap((operation) => linesOf(document, operation, name));
    await compile(t, entry, `import type { ${name} } from '../src/${entry}.ts';\n${lines.join('\n')}\n`);
  });
}

test('a program can name a code of a later release', (t) =>
  compile(
    t,
    'code',
    `import type { PetstoreError } from '../src/index.ts';
export const isOutOfSeason = ({ code }: PetstoreError) => code === 'out_of_season';\n`,
  ));

test('an import takes the bytes of readFile, whose buffer has no type of its own before those of Node 24', (t) =>
  compile(
    t,
    'file',
    `import type { AdminClient } from '../src/admin.ts';
export const send = (admin: AdminClient, file: Uint8Array<ArrayBufferLike>) => admin.createImport(file);\n`,
  ));

test('the type of an exported file is that of its format', (t) =>
  compile(
    t,
    'export',
    `import type { AdminClient, ExportPetsQuery } from '../src/admin.ts';
export async function read(admin: AdminClient, query: ExportPetsQuery): Promise<void> {
  const texts: string[] = [await admin.exportPets(), await admin.exportPets({ q: 'dog' }), await admin.exportPets({ format: 'json' })];
  const bytes: Uint8Array = await admin.exportPets({ format: 'xlsx' });
  const either: string | Uint8Array = await admin.exportPets(query);
  // @ts-expect-error -- it can be a workbook.
  const text: string = await admin.exportPets(query);
  console.log(texts, bytes, either, text);
}\n`,
  ));

/** Compiles a program as strictly as the client itself. */
async function compile(t: TestContext, name: string, program: string): Promise<void> {
  const file = `client/scripts/types-${name}-${process.pid}`;
  t.after(() => rmSync(join(ROOT, `${file}.ts`), { force: true }));
  writeFileSync(join(ROOT, `${file}.ts`), program);
  t.after(() => rmSync(join(ROOT, `${file}.json`), { force: true }));
  const project = { extends: '../tsconfig.json', include: [join(ROOT, `${file}.ts`)] };
  writeFileSync(join(ROOT, `${file}.json`), JSON.stringify(project));
  await runProgram(join(ROOT, 'node_modules/.bin/tsc'), ['--project', `${file}.json`]);
}

/** Declarations of a result and of the arguments of a method, as the document has them. */
function linesOf(
  of: Document,
  { id, result, body, parameters, mediaType, isFileSent }: Operation,
  client: string,
): string[] {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const path = parameters.filter((parameter) => parameter.in === 'path');
  const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  const isRead = !headers.includes('Idempotency-Key');
  const options = [
    'signal: new AbortController().signal, timeoutMs: 1',
    ...(isRead ? [] : ["idempotencyKey: 'k'"]),
    ...(headers.includes('If-Match') ? ["ifMatch: 'e'"] : []),
    // The cache sends it with reads.
    ...(headers.includes('If-None-Match') && !isRead ? ["ifNoneMatch: 'e'"] : []),
  ];
  const given = [
    ...path.map(({ schema }) => sampleOf(of, schema)),
    ...(isFileSent ? ["'petId,quantity'"] : body ? [sampleOf(of, body)] : []),
    ...(query.length > 0
      ? [`{ ${query.map(({ name, schema }) => `${name}: ${parameterOf(id, name, of, schema)}`).join(', ')} }`]
      : []),
    `{ ${options.join(', ')} }`,
  ];
  const lines = [`export const ${id}Arguments: Parameters<${client}['${id}']> = [${given.join(', ')}];`];
  if (mediaType === 'application/json') {
    const type = `Awaited<ReturnType<${client}['${id}']>>`;
    lines.push(`export const ${id}Result: ${type} = ${sampleOf(of, result as Schema)};`);
  }
  return lines;
}

/** Lists with commas are arrays. */
function parameterOf(id: string, name: string, of: Document, schema: Schema): string {
  const isList = id === 'listInventory' || id === 'listPets';
  if (isList && name === 'petId') return '[7n, 8, "9"]';
  if ((isList && name === 'alert') || name === 'alertLevel') return '["low", "out"]';
  return sampleOf(of, schema);
}

/** A value of a schema, as source text. */
function sampleOf(of: Document, schema: Schema): string {
  if (schema.$ref) return sampleOf(of, of.components.schemas[componentOf(schema.$ref)] as Schema);
  if (schema.enum) return JSON.stringify(schema.enum[0]);
  const [alternative] = schema.oneOf ?? schema.anyOf ?? [];
  if (alternative) return sampleOf(of, alternative);
  const type = [schema.type].flat()[0];
  if (type === 'array') return `[${sampleOf(of, schema.items as Schema)}]`;
  if (type === 'object') {
    const members = Object.entries(schema.properties ?? {});
    return `{ ${members.map(([name, member]) => `${name}: ${sampleOf(of, member)}`).join(', ')} }`;
  }
  if (type === 'integer') return schema.format === 'int64' && schema.maximum === undefined ? '5n' : '5';
  return type === 'number' ? '0.5' : type === 'boolean' ? 'true' : "'text'";
}
