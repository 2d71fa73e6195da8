import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { startApp, type TestApp } from '../support/harness.ts';
import { DOCUMENTS, type DocumentedOperation, operationsIn } from '../support/openapi-document.ts';
import { petRows } from '../support/pet-rows.ts';
import { Progress } from '../support/progress.ts';
import { contractRequests } from './contract-requests.ts';
import { type ContractCredentials, ContractService, type Prepared } from './contract-service.ts';
import { authorizationsOf, type FuzzOptions } from './fuzz.ts';
import { FUZZED_OPERATIONS } from './requests.ts';

const PETS = petRows(12);
/** From so many cases on each operation must have succeeded. */
const CASES_FOR_ALL = 10_000;
/** They need an import in a state that the jobs decide, in their own time; an order that is placed or approved; or a session. */
const DEPENDENT = [
  'planImport',
  'applyImport',
  'undoImport',
  'cancelImport',
  'undoBulkChange',
  'expireOrder',
  'approveOrder',
  'cancelOrder',
  'deliverOrder',
  'returnOrder',
  'getSession',
  'endSession',
].map((name) => `/admin/v1 ${name}`);

interface Place {
  readonly base: string;
  readonly documented: DocumentedOperation;
}

/** All operations, except those of `/v1` that have a model. */
const PLACES: readonly Place[] = DOCUMENTS.flatMap(({ base, document }) =>
  operationsIn(document)
    .filter((documented) => !FUZZED_OPERATIONS.includes(documented))
    // Its credential is in the body.
    .filter(({ operation }) => operation.operationId !== 'createSession')
    .map((documented) => ({ base, documented })),
);

function nameOf({ base, documented }: Place): string {
  return `${base} ${documented.operation.operationId}`;
}

/** Sends requests, sound and not, to the operations without a model, and judges each answer by the document. */
export async function fuzzContract(
  t: Pick<TestContext, 'after' | 'diagnostic'>,
  { cases, seed }: FuzzOptions,
): Promise<void> {
  const config = {
    PETSTORE_ADDRESS_LIMIT: '1000000000',
    PETSTORE_WEBHOOK_NETWORKS: '127.0.0.0/8',
    PETSTORE_MAX_WEBHOOK_ENDPOINTS: '1000',
  };
  const app = await startApp(t, { pets: PETS, config });
  const service = new ContractService(app, await credentialsOf(app));
  const petIds = PETS.map(({ petId }) => petId);
  const prepared: Prepared = { petIds, accountIds: [await app.makeAccount()] };
  await service.prepare(prepared);
  const requests = fc.oneof(
    ...PLACES.map(({ base, documented }) => contractRequests({ base, documented, ...prepared })),
  );
  const progress = new Progress('requests', cases);
  const property = fc.asyncProperty(requests, async (request) => {
    await service.judge(request);
    progress.step();
  });
  await fc.assert(property, { seed, numRuns: cases });
  t.diagnostic(`seed ${seed}: ${service}`);
  const dead = PLACES.map(nameOf).filter((name) => !DEPENDENT.includes(name) && !service.hasSucceeded(name));
  if (cases >= CASES_FOR_ALL) assert.deepEqual(dead, [], 'operations without success');
  assert.deepEqual((await app.admin.verify()).faults, []);
}

async function credentialsOf(app: TestApp): Promise<ContractCredentials> {
  const scopeless = await app.makeKey({ scopes: [] });
  const [administrator, viewer] = [await app.makeAdminKey('administrator'), await app.makeAdminKey('viewer')];
  return {
    '/v1': authorizationsOf(app.key, scopeless.key),
    '/admin/v1': authorizationsOf(administrator.key, viewer.key),
  };
}
