import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { componentOf, type Schema } from '../../scripts/schema-types.ts';
import { ROOT } from '../../test/docs/pages.ts';
import { type Document, type Operation, operationsOf, readDocument } from '../scripts/document.ts';
import { PetstoreClient } from '../src/index.ts';
import { runProgram } from './support/programs.ts';

const document = readDocument();
const operations = operationsOf(document);

test('every operation of the document is a method, and every method an operation', () => {
  const { prototype } = PetstoreClient;
  const inherited = Object.getOwnPropertyNames(Object.getPrototypeOf(prototype));
  const names = new Set([...inherited, ...Object.getOwnPropertyNames(prototype)]);
  for (const name of ['constructor', 'call', 'page', 'rateLimits', 'watchInventory']) names.delete(name);
  assert.deepEqual([...names].toSorted(), operations.map(({ id }) => id).toSorted());
});

test('the types of every method accept what the document describes, with all members and no other', async (t) => {
  const lines = operations.flatMap((operation) => linesOf(document, operation));
  const path = join(ROOT, 'client', 'scripts', `types-${process.pid}.ts`);
  t.after(() => rmSync(path, { force: true }));
  writeFileSync(path, `import type { PetstoreClient } from '../src/index.ts';\n${lines.join('\n')}\n`);
  const project = `client/scripts/types-${process.pid}.json`;
  t.after(() => rmSync(join(ROOT, project), { force: true }));
  writeFileSync(join(ROOT, project), JSON.stringify({ extends: '../tsconfig.json', include: [path] }));
  await runProgram(join(ROOT, 'node_modules/.bin/tsc'), ['--project', project]);
});

/** Declarations of a result and of the arguments of a method, as the document has them. */
function linesOf(of: Document, { id, result, body, parameters, mediaType }: Operation): string[] {
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
    ...(body ? [sampleOf(of, body)] : []),
    ...(query.length > 0
      ? [`{ ${query.map(({ name, schema }) => `${name}: ${parameterOf(id, name, of, schema)}`).join(', ')} }`]
      : []),
    `{ ${options.join(', ')} }`,
  ];
  const lines = [`export const ${id}Arguments: Parameters<PetstoreClient['${id}']> = [${given.join(', ')}];`];
  if (mediaType === 'application/json') {
    const type = `Awaited<ReturnType<PetstoreClient['${id}']>>`;
    lines.push(`export const ${id}Result: ${type} = ${sampleOf(of, result as Schema)};`);
  }
  return lines;
}

/** Lists with commas are arrays. */
function parameterOf(id: string, name: string, of: Document, schema: Schema): string {
  if (id === 'listInventory' && name === 'petId') return '[7n, 8, "9"]';
  if (id === 'listInventory' && name === 'alert') return '["low", "out"]';
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
