import { errorBody } from '../../../src/http/request/error-response.ts';
import type { Forward, Passed, Passing } from './lying-proxy.ts';

/** What came of an occasion to lie; `isLie` where the service's own answer left room for it. */
interface Telling {
  readonly answer: Passed | 'hang up';
  readonly isLie: boolean;
}

/** Takes an occasion, or leaves the request alone. */
type Tell = (passing: Passing, forward: Forward) => Promise<Telling | undefined>;

/** Requests to let pass first, so that there is something to lie about. */
const TRUE_FIRST = 60;
/** Requests that make a read so old that it must have been told of a later stock. */
const OLD_AFTER = 60;

/** Something untrue that a proxy does or says, once or a few times. */
export class Lie {
  readonly #tell: Tell;
  readonly #times: number;
  #told = 0;
  #passed = 0;
  #isTelling = false;

  constructor({ make, times = 1 }: (typeof LIES)[number]) {
    this.#tell = make();
    this.#times = times;
  }

  get isTold(): boolean {
    return this.#told > 0;
  }

  /** Answers in place of the service, breaks the connection, or leaves the request alone. */
  async tell(passing: Passing, forward: Forward): Promise<Passed | 'hang up' | undefined> {
    this.#passed += 1;
    if (this.#told >= this.#times || this.#isTelling || this.#passed <= TRUE_FIRST) return undefined;
    this.#isTelling = true;
    try {
      const told = await this.#tell(passing, forward);
      if (told?.isLie) this.#told += 1;
      return told?.answer;
    } finally {
      this.#isTelling = false;
    }
  }
}

interface LieKind {
  readonly name: string;
  /** What a race must report of it. */
  readonly reported: RegExp;
  readonly make: () => Tell;
  /** More than one where an accident can make it true. */
  readonly times?: number;
}

export const LIES: readonly LieKind[] = [
  { name: 'a write is carried out twice', reported: /applied more than once/, make: () => doubled },
  {
    name: 'an acknowledged write is not carried out',
    reported: /was true at none|no order of the first/,
    make: () => dropped,
    times: 5,
  },
  { name: 'a refused write is carried out', reported: /ledger has what was not done/, make: () => denied },
  { name: 'a write is made in another name', reported: /name another actor/, make: otherName },
  {
    name: 'a batch is carried out in parts',
    reported: /name another request|carried out in parts|ledger has what was not done/,
    make: () => divided,
  },
  { name: 'a repeated key is not heeded', reported: /applied more than once/, make: forgottenKey },
  {
    name: 'a repetition is answered otherwise',
    reported: /repeated .* and got /,
    make: () => otherAnswer,
    times: Number.POSITIVE_INFINITY,
  },
  { name: 'a read is old', reported: /saw less than|was true at none|no order of the first/, make: oldRead },
  { name: 'a list is of two moments', reported: /^The list after movement/m, make: tornList },
];

function isAdjustment({ method, path, headers }: Passing): boolean {
  return method === 'POST' && path.endsWith('/adjustments') && headers['if-match'] === undefined;
}

function isKeyed({ headers }: Passing): boolean {
  return headers['idempotency-key'] !== undefined;
}

const doubled: Tell = async (passing, forward) => {
  if (!isAdjustment(passing) || isKeyed(passing)) return undefined;
  const answer = await forward(passing);
  return { answer, isLie: answer.status === 201 && (await forward(passing)).status === 201 };
};

const dropped: Tell = async (passing, forward) => {
  const { method, path, headers } = passing;
  if (method !== 'PATCH' || isKeyed(passing) || headers['if-match'] !== undefined) return undefined;
  const wish = JSON.parse(String(passing.body)) as { quantity: number; changeFromQuantity?: number };
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
  return { answer: { ...item, body: Buffer.from(text) }, isLie: true };
};

const denied: Tell = async (passing, forward) => {
  if (!isAdjustment(passing) || isKeyed(passing)) return undefined;
  const answer = await forward(passing);
  if (answer.status !== 201) return { answer, isLie: false };
  const body = Buffer.from(errorBody('insufficient_stock', 'The change would leave less than nothing.'));
  const { etag: _, location: __, ...headers } = answer.headers;
  return { answer: { status: 409, headers, body }, isLie: true };
};

function otherName(): Tell {
  let before: string | undefined;
  return async (passing, forward) => {
    const { authorization } = passing.headers;
    const other = before;
    before = authorization;
    if (!isAdjustment(passing) || isKeyed(passing) || !other || other === authorization) return undefined;
    const answer = await forward({ ...passing, headers: { ...passing.headers, authorization: other } });
    return { answer, isLie: answer.status === 201 };
  };
}

function hasMovement({ body }: Passed): boolean {
  return /"sequence":\d/.test(String(body));
}

const divided: Tell = async (passing, forward) => {
  if (!passing.path.endsWith('/batch') || isKeyed(passing)) return undefined;
  const text = String(passing.body);
  if (!text.includes('reject_everything') || /dryRun|planId/.test(text)) return undefined;
  const [, first, others, rest] = /^\{"changes":\[(\{.*?\}),(\{.*\})\],(.*)$/.exec(text) ?? [];
  if (first === undefined) return undefined;
  const answers: Passed[] = [];
  for (const changes of [first, others]) {
    const body = Buffer.from(`{"changes":[${changes}],${rest}`);
    const headers = { ...passing.headers, 'content-length': String(body.length) };
    const answer = await forward({ ...passing, headers, body });
    if (answer.status !== 200) return { answer, isLie: answers.some(hasMovement) };
    answers.push(answer);
  }
  const rows = answers.map(({ body }) => /"rows":\[(.*)\]\}$/.exec(String(body))?.[1]);
  const body = Buffer.from(`{"planId":"x","dryRun":false,"applied":2,"rows":[${rows.join(',')}]}`);
  return { answer: { ...answers[1]!, body }, isLie: hasMovement(answers[0]!) };
};

function forgottenKey(): Tell {
  let hungUpOn: string | string[] | undefined;
  return async (passing, forward) => {
    const { 'idempotency-key': key, ...headers } = passing.headers;
    if (!isAdjustment(passing) || key === undefined) return undefined;
    if (key === hungUpOn) {
      const answer = await forward({ ...passing, headers });
      return { answer, isLie: answer.status === 201 };
    }
    const answer = await forward(passing);
    if (answer.status !== 201) return { answer, isLie: false };
    hungUpOn = key;
    return { answer: 'hang up', isLie: false };
  };
}

const otherAnswer: Tell = async (passing, forward) => {
  if (!isKeyed(passing)) return undefined;
  const answer = await forward(passing);
  const isLie = answer.headers['idempotency-replayed'] === 'true';
  return { answer: isLie ? { ...answer, body: Buffer.from(`${answer.body} `) } : answer, isLie };
};

function oldRead(): Tell {
  const first = new Map<string, { readonly answer: Passed; readonly version: number }>();
  let asked = 0;
  return async (passing, forward) => {
    asked += 1;
    const { method, path, headers } = passing;
    const isItem = method === 'GET' && /^\/v1\/inventory\/-?\d+$/.test(path);
    if (!isItem || headers['if-none-match'] !== undefined) return undefined;
    const answer = await forward(passing);
    const { version } = JSON.parse(String(answer.body)) as { version: number };
    const known = first.get(path) ?? { answer, version };
    first.set(path, known);
    const isOld = asked > OLD_AFTER && version > known.version + OLD_AFTER / 4;
    return { answer: isOld ? known.answer : answer, isLie: isOld };
  };
}

function tornList(): Tell {
  let older: string[] | undefined;
  return async (passing, forward) => {
    if (passing.method !== 'GET' || passing.path !== '/v1/inventory') return undefined;
    const answer = await forward(passing);
    const items = String(answer.body)
      .slice(1, -1)
      .split(/(?<=\}),/);
    const [first] = older ?? items;
    older ??= items;
    const isTorn = first !== items[0] && older.slice(1).join() !== items.slice(1).join();
    const body = Buffer.from(`[${[first, ...items.slice(1)].join(',')}]`);
    return { answer: isTorn ? { ...answer, body } : answer, isLie: isTorn };
  };
}
