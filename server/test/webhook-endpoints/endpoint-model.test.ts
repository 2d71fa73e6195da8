import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc, { type Arbitrary } from 'fast-check';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';
import { petRows } from '../support/pet-rows.ts';

const PATH = '/v1/webhook-endpoints';
const MAX_ENDPOINTS = 4;
const NEWEST = 3;
const UNKNOWN_ID = 'whe_0000000000000000';

interface Known {
  readonly id: string;
  members: Readonly<Record<string, unknown>>;
  isPaused: boolean;
  isRotated: boolean;
  version: number;
  lastEventId: string;
}

/** An operation, and which endpoint it is for: a place in the list of the known ones, or an unknown one. */
interface Step {
  readonly verb: string;
  readonly place: number;
  readonly members: Readonly<Record<string, unknown>>;
  readonly after: string;
}

const MEMBERS = fc.record(
  {
    url: fc.constantFrom('https://a.example/', 'https://b.example/hooks?x=1'),
    description: fc.constantFrom(null, '', 'a remark'),
    types: fc.constantFrom(null, ['inventory.low'], ['order.placed', 'quota.reached']),
    petIds: fc.constantFrom(null, [1], [-5, 7, 2 ** 40]),
    statuses: fc.constantFrom(null, ['sold'], ['available', 'pending']),
  },
  { requiredKeys: [] },
);
const VERBS = [
  'create',
  'create',
  'get',
  'update',
  'update',
  'delete',
  'pause',
  'resume',
  'rotate',
  'replay',
];
const STEPS: Arbitrary<Step> = fc.record({
  verb: fc.constantFrom(...VERBS),
  place: fc.nat(MAX_ENDPOINTS),
  members: MEMBERS,
  after: fc.constantFrom('0.0', '1.0', '2.1', '3.0', '3.1', '3.2', '4.0', '1'),
});

/** Endpoints as a client knows them after all answers. */
class EndpointModel {
  readonly known: Known[] = [];

  /** The expected status; the model has changed as the service must have. */
  expect({ verb, place, members, after }: Step): number {
    if (verb === 'create') {
      if (members.url === undefined) return 400;
      return this.known.length < MAX_ENDPOINTS ? 201 : 409;
    }
    if (verb === 'replay' && after === '1') return 400;
    const endpoint = this.known[place];
    if (!endpoint) return 404;
    if (verb === 'replay' && !['0.0', '1.0', '2.1', '3.0', '3.1'].includes(after)) return 400;
    if (verb === 'rotate' && endpoint.isRotated) return 409;
    this.#change(endpoint, verb, { members, after });
    return verb === 'delete' ? 204 : 200;
  }

  #change(endpoint: Known, verb: string, { members, after }: Pick<Step, 'members' | 'after'>): void {
    if (
      verb === 'get' ||
      (verb === 'pause' && endpoint.isPaused) ||
      (verb === 'resume' && !endpoint.isPaused)
    )
      return;
    endpoint.version += 1;
    if (verb === 'update') endpoint.members = { ...endpoint.members, ...members };
    if (verb === 'pause' || verb === 'resume') endpoint.isPaused = verb === 'pause';
    if (verb === 'replay') endpoint.lastEventId = after;
    if (verb === 'rotate') endpoint.isRotated = true;
    if (verb === 'delete') this.known.splice(this.known.indexOf(endpoint), 1);
  }
}

function send({ request }: TestApp, { verb, members, after }: Step, id: string): Promise<Answer> {
  const body = JSON.stringify(members);
  if (verb === 'create') return request('POST', PATH, { body });
  if (verb === 'get') return request('GET', `${PATH}/${id}`);
  if (verb === 'update') return request('PATCH', `${PATH}/${id}`, { body });
  if (verb === 'delete') return request('DELETE', `${PATH}/${id}`);
  return request('POST', `${PATH}/${id}/${verb}${verb === 'replay' ? `?after=${after}` : ''}`);
}

async function assertKnown({ request }: TestApp, { known }: EndpointModel): Promise<void> {
  const listed = (await request('GET', PATH)).json as Record<string, unknown>[];
  const shown = listed.map(({ id, pausedAt, previousSecretExpiresAt, version, lastEventId, ...endpoint }) => {
    const { url, description, types, petIds, statuses } = endpoint;
    const members = { url, description, types, petIds, statuses };
    const isRotated = previousSecretExpiresAt !== null;
    return { id, members, isPaused: pausedAt !== null, isRotated, version, lastEventId };
  });
  assert.deepEqual(
    shown,
    known.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
}

test('random changes of endpoints have the effects of a model', async (t) => {
  const app = await startApp(t, {
    pets: petRows(NEWEST),
    config: { PETSTORE_MAX_WEBHOOK_ENDPOINTS: String(MAX_ENDPOINTS) },
  });
  const model = new EndpointModel();
  const property = fc.asyncProperty(fc.array(STEPS, { minLength: 1, maxLength: 20 }), async (steps) => {
    for (const step of steps) {
      const id = model.known[step.place]?.id ?? UNKNOWN_ID;
      const expected = model.expect(step);
      const answer = await send(app, step, id);
      assert.equal(answer.status, expected, `${JSON.stringify(step)} ${answer.text}`);
      if (expected === 201) {
        const { endpoint } = answer.json as { endpoint: { id: string } };
        const members = {
          url: '',
          description: null,
          types: null,
          petIds: null,
          statuses: null,
          ...step.members,
        };
        model.known.push({
          id: endpoint.id,
          members,
          isPaused: false,
          isRotated: false,
          version: 1,
          lastEventId: `${NEWEST}.1`,
        });
      }
    }
    await assertKnown(app, model);
  });
  await fc.assert(property, { numRuns: 40, endOnFailure: true });
});
