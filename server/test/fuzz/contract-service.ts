import assert from 'node:assert/strict';
import type { Answer, TestApp } from '../support/harness.ts';
import type { ContractRequest } from './contract-requests.ts';
import type { Fault } from './parts.ts';
import { type Authorizations, streamOf } from './service.ts';
import { sendUntilAccepted } from './send-again.ts';

/** Values that the shop has. */
export interface Prepared {
  readonly petIds: readonly bigint[];
  readonly accountIds: readonly [string];
}

/** The credentials per path of a document. */
export type ContractCredentials = Readonly<Record<string, Authorizations>>;

/** Time passes between requests, because management keys have a limit per minute. */
const STEP_MS = 1_001;
/** Statuses that need a fault. 400 needs none: the document does not describe each rule. */
const OF_FAULTS: ReadonlySet<number> = new Set([401, 403, 405, 406, 408, 413, 415, 429, 431]);

/** The service, with the ids of the resources that were made. */
export class ContractService {
  readonly #app: TestApp;
  readonly #credentials: ContractCredentials;
  /** Ids by the path of their collection, the newest last. */
  readonly #ids = new Map<string, string[]>();
  readonly #counts = new Map<string, number>();

  constructor(app: TestApp, credentials: ContractCredentials) {
    this.#app = app;
    this.#credentials = credentials;
  }

  /** Makes a resource of each kind. The keys that send requests are none of them: revoking one would end the run. */
  async prepare({ petIds, accountIds: [accountId] }: Prepared): Promise<void> {
    this.#learn(`/admin/v1/accounts/${accountId}`);
    for (const [i, petId] of petIds.entries()) {
      this.#learn(`/admin/v1/pets/${petId}`);
      this.#learn(`/admin/v1/inventory/${petId}`);
      this.#learn(`/admin/v1/reorders/${petId}`);
      this.#learn(`/admin/v1/movements/${i + 1}`);
    }
    const url = 'https://127.0.0.1:9/';
    await this.#make('/v1/webhook-endpoints', { url });
    await this.#make('/admin/v1/webhook-endpoints', { accountId, url });
    await this.#make('/admin/v1/keys', { accountId });
    await this.#make('/admin/v1/admin-keys', { role: 'viewer' });
    await this.#make('/admin/v1/store/orders', { lines: [{ petId: Number(petIds.at(-1)), quantity: 1 }] });
    await this.#make('/admin/v1/imports', []);
    const key = this.#credentials['/admin/v1']?.own?.split(' ')[1] ?? '';
    const signIn = { key: null, body: JSON.stringify({ key }) };
    const session = await this.#app.request('POST', '/admin/v1/session', signIn);
    this.#learn(`/admin/v1/sessions/${(session.json as { sessionId?: string }).sessionId}`);
  }

  async judge({ name, base, method, target, credential, body, isStreamed, ...request }: ContractRequest) {
    this.#app.clock.nowMs += STEP_MS;
    const placed = target.replace(/^([^~?]*)\/~(\d)(?!\d)/, (_whole, collection: string, back: string) => {
      const ids = this.#ids.get(collection) ?? [];
      return `${collection}/${ids.at(-1 - Number(back)) ?? ids.at(-1) ?? 'none'}`;
    });
    const newest = this.#ids.get('/admin/v1/movements')?.at(-1) ?? '0';
    const sentTarget = placed.replace(/\?(after|event)=~/, `?$1=${newest}`);
    const headers: Record<string, string> = { ...request.headers };
    const authorization = this.#credentials[base]?.[credential] ?? null;
    if (authorization !== null) headers.Authorization = authorization;
    const send = () =>
      this.#app.request(method, sentTarget, {
        key: null,
        headers,
        ...(body && { body: isStreamed ? streamOf(body) : body }),
      });
    let answer: Answer | undefined;
    try {
      answer = await sendUntilAccepted(send);
      this.#count(`${name} ${answer.status}`);
      assertAnswer(request.faults, answer);
      if (answer.status === 201 || answer.status === 202) this.#learn(answer.headers.get('Location'));
    } catch (cause) {
      const text = body ? Buffer.from(body).toString().slice(0, 300) : '';
      const shown = `${method} ${sentTarget} ${JSON.stringify(request.headers)} as ${credential} ${text}`;
      throw new Error(`${shown} -> ${answer?.status} ${answer?.text.slice(0, 300)}`, { cause });
    }
  }

  /** Whether a request of an operation succeeded. */
  hasSucceeded(name: string): boolean {
    return [200, 201, 202, 204].some((status) => this.#counts.has(`${name} ${status}`));
  }

  toString(): string {
    const counts = [...this.#counts].toSorted().map(([name, count]) => `${name}: ${count}`);
    return counts.join(', ');
  }

  async #make(path: string, body: object): Promise<void> {
    const key = this.#credentials[path.startsWith('/admin') ? '/admin/v1' : '/v1']?.own?.split(' ')[1] ?? '';
    const answer = await this.#app.request('POST', path, { key, body: JSON.stringify(body) });
    assert.ok(answer.status < 300, answer.text);
    this.#learn(answer.headers.get('Location'));
  }

  /** Adds the id of a resource. */
  #learn(location: string | null): void {
    if (location === null) return;
    const { pathname } = new URL(location, 'http://localhost');
    const at = pathname.lastIndexOf('/');
    const collection = pathname.slice(0, at);
    const ids = this.#ids.get(collection) ?? [];
    this.#ids.set(collection, [...ids.slice(-9), pathname.slice(at + 1)]);
  }

  #count(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}

/** The earliest fault decides. Without a fault, the rest is up to the state of the shop. */
function assertAnswer(faults: readonly Fault[], { status }: Answer): void {
  if (faults.length === 0) {
    assert.ok(status < 500 && !OF_FAULTS.has(status), 'nothing is wrong with the request');
    return;
  }
  const firstStep = Math.min(...faults.map(({ step }) => step));
  const expected = faults.filter(({ step }) => step === firstStep).map((fault) => fault.status);
  assert.ok(expected.includes(status), `expected ${expected.join(' or ')}`);
}
