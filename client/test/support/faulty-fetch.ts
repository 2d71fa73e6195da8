import type { SeededRandom } from '../../../server/test/support/limit-clients.ts';
import type { VirtualClock } from './virtual-clock.ts';

type Fault = (send: () => Promise<Response>, time: VirtualClock) => Promise<Response>;

const HTML = '<html><body>Bad gateway</body></html>';
const OK = { 'Content-Type': 'application/json' };

function refusal(status: number, code: string, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ code, message: code, status }), {
    status,
    headers: { ...OK, ...headers },
  });
}

/** Everything that can go wrong between a client and the service, before and after the service has done its work. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'connection refused': async () => {
    throw new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') });
  },
  'reset after the work': async (send) => {
    await send();
    throw new TypeError('fetch failed', { cause: new Error('ECONNRESET') });
  },
  'half of the body': async (send) => {
    const response = await send();
    const text = await response.text();
    const { status, headers } = response;
    return new Response(text.slice(0, text.length / 2), { status, headers });
  },
  'body that breaks': async (send) => {
    const { status, headers } = await send();
    const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
    return new Response(status === 204 ? null : body, { status, headers });
  },
  'no response': async (send) => {
    await send();
    return new Promise(() => {});
  },
  'body without an end': async (send) => {
    const { status, headers } = await send();
    return new Response(status === 204 ? null : new ReadableStream(), { status, headers });
  },
  'sent twice': async (send) => {
    await send();
    return send();
  },
  'late response': async (send, time) => {
    const response = await send();
    await time.wait(3_000);
    return response;
  },
  'page of a proxy': async () =>
    new Response(HTML, { status: 502, headers: { 'Content-Type': 'text/html' } }),
  'page of a proxy with 200': async () => new Response(HTML, { status: 200 }),
  'error of the service': async () => refusal(500, 'internal_error'),
  'unavailable with a date': async () =>
    refusal(503, 'service_unavailable', { 'Retry-After': 'Fri, 31 Dec 1999 23:59:59 GMT' }),
  unavailable: async () => refusal(503, 'service_unavailable', { 'Retry-After': '2' }),
  'refusal without a time': async () => refusal(429, 'rate_limit_exceeded'),
  'refusal with a negative time': async () => refusal(429, 'rate_limit_exceeded', { 'Retry-After': '-5' }),
  'refusal of a proxy': async () => new Response(HTML, { status: 429, headers: { 'Retry-After': 'soon' } }),
};

/** A `fetch` whose requests fail in these ways, by chance. */
export function faultyFetch(
  fetch: typeof globalThis.fetch,
  time: VirtualClock,
  random: SeededRandom,
  { share }: { readonly share: number },
) {
  const kinds = new Set<string>();
  const faulty: typeof globalThis.fetch = (input, init) => {
    const send = () => time.still(() => fetch(input, { ...init, signal: null }));
    if (!random.chance(share)) return send();
    const kind = random.pick(Object.keys(FAULTS));
    kinds.add(kind);
    return (FAULTS[kind] as Fault)(send, time);
  };
  return { fetch: faulty, kinds };
}
