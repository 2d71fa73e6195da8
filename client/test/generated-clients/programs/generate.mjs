// Generates types in which a petId is a bigint: a number cannot hold one exactly.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const types = await openapiTS(pathToFileURL(process.argv[2]), {
  transform: (_schema, { path }) => (path === '#/components/schemas/PetId' ? bigint : undefined),
});
writeFileSync('schema.d.ts', astToString(types));
