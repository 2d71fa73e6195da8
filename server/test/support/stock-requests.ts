import type { MovementJson as ExactMovement } from '../race/checker/movement-pages.ts';
import type { Answer, Sending, TestApp } from './harness.ts';

/** The part of an app that sends requests. */
export type RequestSender = Pick<TestApp, 'request'>;
export type RequestHeaders = Readonly<Record<string, string>>;
type Id = bigint | number | string;

/** A body as sent: values as JSON, bigints as digits, texts unchanged. */
export function bodyOf(body: object | string): string {
  if (typeof body === 'string') return body;
  const text = JSON.stringify(body, (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
  return text.replaceAll(/"(-?\d+)n"/g, '$1');
}

function send(
  app: RequestSender,
  method: string,
  target: string,
  body: object | string,
  headers?: RequestHeaders,
) {
  const sending: Sending = { body: bodyOf(body), ...(headers && { headers }) };
  return app.request(method, `/v1${target}`, sending);
}

export function getItem(app: RequestSender, petId: Id, headers: RequestHeaders = {}): Promise<Answer> {
  return app.request('GET', `/v1/inventory/${petId}`, { headers });
}

export function update(app: RequestSender, petId: Id, body: object | string, headers?: RequestHeaders) {
  return send(app, 'PATCH', `/inventory/${petId}`, body, headers);
}

export function adjust(app: RequestSender, petId: Id, body: object | string, headers?: RequestHeaders) {
  const whole = typeof body === 'string' ? body : { reason: 'correction', ...body };
  return send(app, 'POST', `/inventory/${petId}/adjustments`, whole, headers);
}

export function setStatus(app: RequestSender, petId: Id, body: object | string, headers?: RequestHeaders) {
  return send(app, 'PUT', `/inventory/${petId}/status`, body, headers);
}

export function batch(app: RequestSender, body: object | string, headers?: RequestHeaders) {
  return send(app, 'POST', '/inventory/batch', body, headers);
}

/** Has no body unless `body` is set. */
export function revert(
  app: RequestSender,
  sequence: number,
  body?: object | string,
  headers: RequestHeaders = {},
) {
  const target = `/movements/${sequence}/revert`;
  return body === undefined
    ? app.request('POST', `/v1${target}`, { headers })
    : send(app, 'POST', target, body, headers);
}

export function movements(app: RequestSender, query = ''): Promise<Answer> {
  return app.request('GET', `/v1/movements${query}`);
}

/** A movement as its JSON reads; a petId within 2^53 is a number. */
export type MovementJson = Omit<ExactMovement, 'petId'> & { readonly petId: number | bigint };

export function movementOf({ json }: Pick<Answer, 'json'>): MovementJson {
  return json as unknown as MovementJson;
}

export function movementsOf({ json }: Pick<Answer, 'json'>): MovementJson[] {
  return json as unknown as MovementJson[];
}

/** The whole ledger, page by page. */
export async function wholeLedger(app: RequestSender): Promise<MovementJson[]> {
  const found: MovementJson[] = [];
  for (let after = 0; ;) {
    const page = await movements(app, `?limit=1000&after=${after}`);
    found.push(...movementsOf(page));
    const next = /[?&]after=(\d+)/.exec(page.headers.get('Link') ?? '')?.[1];
    if (next === undefined) return found;
    after = Number(next);
  }
}

/** The status and code of an answer, side by side. */
export function outcome({ status, code }: Answer): [number, string | undefined] {
  return [status, code];
}
