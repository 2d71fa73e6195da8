import { errorBody } from '../../../src/http/request/error-response.ts';
import type { Forward, ProxyRequest, ProxyResponse } from './faulty-proxy.ts';

/** The result of an interception; `isFaulty` if the answer differs from a correct one. */
interface Interception {
  readonly answer: ProxyResponse | 'hang up';
  readonly isFaulty: boolean;
}

/** Takes an occasion, or leaves the request alone. */
type Intercept = (request: ProxyRequest, forward: Forward) => Promise<Interception | undefined>;

/** Requests to forward unchanged first, so that later faults can contradict them. */
const UNCHANGED_FIRST = 60;
/** Requests after which an old read contradicts later stock that its client received. */
const MIN_STALE_REQUESTS = 60;

/** A fault that a proxy injects once or a few times. */
export class ProxyFault {
  readonly #intercept: Intercept;
  readonly #times: number;
  #injected = 0;
  #passed = 0;
  #isIntercepting = false;

  constructor({ make, times = 1 }: (typeof PROXY_FAULTS)[number]) {
    this.#intercept = make();
    this.#times = times;
  }

  get wasInjected(): boolean {
    return this.#injected > 0;
  }

  /** Answers in place of the service, breaks the connection, or leaves the request alone. */
  async intercept(request: ProxyRequest, forward: Forward): Promise<ProxyResponse | 'hang up' | undefined> {
    this.#passed += 1;
    if (this.#injected >= this.#times || this.#isIntercepting || this.#passed <= UNCHANGED_FIRST)
      return undefined;
    this.#isIntercepting = true;
    try {
      const intercepted = await this.#intercept(request, forward);
      if (intercepted?.isFaulty) this.#injected += 1;
      return intercepted?.answer;
    } finally {
      this.#isIntercepting = false;
    }
  }
}

interface ProxyFaultKind {
  readonly name: string;
  /** The fault that a race must report for it. */
  readonly reported: RegExp;
  readonly make: () => Intercept;
  /** More than one where an accident can make it true. */
  readonly times?: number;
}

export const PROXY_FAULTS: readonly ProxyFaultKind[] = [
  { name: 'a write is applied twice', reported: /applied more than once/, make: () => appliedTwice },
  {
    name: 'an acknowledged write is not applied',
    reported: /was true at none|no order of the first/,
    make: () => dropped,
    times: 5,
  },
  {
    name: 'a refused write is applied',
    reported: /ledger records an unsuccessful operation/,
    make: () => falselyRefused,
  },
  { name: 'a write is made in another name', reported: /name another actor/, make: otherName },
  {
    name: 'a batch is applied in parts',
    reported: /name another request|applied in parts|ledger records an unsuccessful operation/,
    make: () => divided,
  },
  { name: 'a repeated key is not heeded', reported: /applied more than once/, make: ignoredKey },
  {
    name: 'a repetition is answered otherwise',
    reported: /repeated .* and got /,
    make: () => changedReplay,
    times: Number.POSITIVE_INFINITY,
  },
  {
    name: 'a read is old',
    reported: /saw less than|was true at none|no order of the first/,
    make: staleRead,
  },
  { name: 'a list is of two moments', reported: /^The list after movement/m, make: tornList },
];

function isAdjustment({ method, path, headers }: ProxyRequest): boolean {
  return method === 'POST' && path.endsWith('/adjustments') && headers['if-match'] === undefined;
}

function isKeyed({ headers }: ProxyRequest): boolean {
  return headers['idempotency-key'] !== undefined;
}

const appliedTwice: Intercept = async (request, forward) => {
  if (!isAdjustment(request) || isKeyed(request)) return undefined;
  const answer = await forward(request);
  return { answer, isFaulty: answer.status === 201 && (await forward(request)).status === 201 };
};

const dropped: Intercept = async (request, forward) => {
  const { method, path, headers } = request;
  if (method !== 'PATCH' || isKeyed(request) || headers['if-match'] !== undefined) return undefined;
  const wish = JSON.parse(String(request.body)) as { quantity: number; changeFromQuantity?: number };
  const { authorization, host } = headers;
  const item = await forward({
    method: 'GET',
    path,
    headers: { authorization, host },
    body: Buffer.alloc(0),
  });
  const { quantity, status } = JSON.parse(String(item.body)) as { quantity: number; status: string };
  if (wish.changeFromQuantity !== undefined || wish.quantity === quantity) return undefined;
  const text = `{"petId":${path.split('/').at(-1)},"quantity":${wish.quantity},"status":"${status}"}`;
  return { answer: { ...item, body: Buffer.from(text) }, isFaulty: true };
};

const falselyRefused: Intercept = async (request, forward) => {
  if (!isAdjustment(request) || isKeyed(request)) return undefined;
  const answer = await forward(request);
  if (answer.status !== 201) return { answer, isFaulty: false };
  const body = Buffer.from(errorBody('insufficient_stock', 'The change would leave less than nothing.'));
  const { etag: _, location: __, ...headers } = answer.headers;
  return { answer: { status: 409, headers, body }, isFaulty: true };
};

function otherName(): Intercept {
  let before: string | undefined;
  return async (request, forward) => {
    const { authorization } = request.headers;
    const other = before;
    before = authorization;
    if (!isAdjustment(request) || isKeyed(request) || !other || other === authorization) return undefined;
    const answer = await forward({ ...request, headers: { ...request.headers, authorization: other } });
    return { answer, isFaulty: answer.status === 201 };
  };
}

function hasMovement({ body }: ProxyResponse): boolean {
  return /"sequence":\d/.test(String(body));
}

const divided: Intercept = async (request, forward) => {
  if (!request.path.endsWith('/batch') || isKeyed(request)) return undefined;
  const text = String(request.body);
  if (!text.includes('reject_everything') || /dryRun|planId/.test(text)) return undefined;
  const [, first, others, rest] = /^\{"changes":\[(\{.*?\}),(\{.*\})\],(.*)$/.exec(text) ?? [];
  if (first === undefined) return undefined;
  const answers: ProxyResponse[] = [];
  for (const changes of [first, others]) {
    const body = Buffer.from(`{"changes":[${changes}],${rest}`);
    const headers = { ...request.headers, 'content-length': String(body.length) };
    const answer = await forward({ ...request, headers, body });
    if (answer.status !== 200) return { answer, isFaulty: answers.some(hasMovement) };
    answers.push(answer);
  }
  const rows = answers.map(({ body }) => /"rows":\[(.*)\]\}$/.exec(String(body))?.[1]);
  const body = Buffer.from(`{"planId":"x","dryRun":false,"applied":2,"rows":[${rows.join(',')}]}`);
  return { answer: { ...answers[1]!, body }, isFaulty: hasMovement(answers[0]!) };
};

function ignoredKey(): Intercept {
  let brokenKey: string | string[] | undefined;
  return async (request, forward) => {
    const { 'idempotency-key': key, ...headers } = request.headers;
    if (!isAdjustment(request) || key === undefined) return undefined;
    if (key === brokenKey) {
      const answer = await forward({ ...request, headers });
      return { answer, isFaulty: answer.status === 201 };
    }
    const answer = await forward(request);
    if (answer.status !== 201) return { answer, isFaulty: false };
    brokenKey = key;
    return { answer: 'hang up', isFaulty: false };
  };
}

const changedReplay: Intercept = async (request, forward) => {
  if (!isKeyed(request)) return undefined;
  const answer = await forward(request);
  const isFaulty = answer.headers['idempotency-replayed'] === 'true';
  return { answer: isFaulty ? { ...answer, body: Buffer.from(`${answer.body} `) } : answer, isFaulty };
};

function staleRead(): Intercept {
  const first = new Map<string, { readonly answer: ProxyResponse; readonly version: number }>();
  let requests = 0;
  return async (request, forward) => {
    requests += 1;
    const { method, path, headers } = request;
    const isItem = method === 'GET' && /^\/v1\/inventory\/-?\d+$/.test(path);
    if (!isItem || headers['if-none-match'] !== undefined) return undefined;
    const answer = await forward(request);
    const { version } = JSON.parse(String(answer.body)) as { version: number };
    const known = first.get(path) ?? { answer, version };
    first.set(path, known);
    const isStale = requests > MIN_STALE_REQUESTS && version > known.version + MIN_STALE_REQUESTS / 4;
    return { answer: isStale ? known.answer : answer, isFaulty: isStale };
  };
}

function tornList(): Intercept {
  let older: string[] | undefined;
  return async (request, forward) => {
    if (request.method !== 'GET' || request.path !== '/v1/inventory') return undefined;
    const answer = await forward(request);
    const items = String(answer.body)
      .slice(1, -1)
      .split(/(?<=\}),/);
    const [first] = older ?? items;
    older ??= items;
    const isTorn = first !== items[0] && older.slice(1).join() !== items.slice(1).join();
    const body = Buffer.from(`[${[first, ...items.slice(1)].join(',')}]`);
    return { answer: isTorn ? { ...answer, body } : answer, isFaulty: isTorn };
  };
}
