import assert from 'node:assert/strict';
import { makeAdminKey } from '../../blackbox/operator.ts';
import { type ServiceOptions, startService, type Service as TestedService } from '../../blackbox/service.ts';
import { Progress } from '../../support/progress.ts';
import { type Measured, measure } from './measured-service.ts';
import type { Slot, SlotKeys } from './request-slots.ts';
import { JSON_SHAPES, type Shape, TEXT_SHAPES } from './shapes.ts';

/** No turn of the event loop may take longer, for any request. */
const MAX_TURN_MS = 50;
/** The cost of a request of any size, without parsing it; a busy machine doubles CPU time. */
const BASE_MS = 8;
/** The permitted cost of a byte of a request, in milliseconds: 40 for a megabyte. */
const MS_PER_BYTE = 40 / 1_048_576;
/** 8 times the size may cost 20 times as much: 8 is linear, 64 is quadratic. */
const SHRINK = 8;
const GROWTH = 20;
/** Growth is only examined where a request costs more than one without content. */
const EXAMINED_MS = 3;
/** The minimum cost of a request, because of the resolution of the CPU time counter. */
const LEAST_MS = 0.5;
const REPEATS = 4;
/** Of a body, a target or a head. */
const TOO_LARGE: ReadonlySet<number> = new Set([413, 414, 431]);
const WARM_UP_REQUESTS = 2;

type Service = Parameters<typeof measure>[0];

/**
 * Sends shapes in each slot at its full size. Returns those that cost too much or fail, with the reason.
 * @param every each slot gets one of this number of shapes, its neighbours the others
 */
export async function hostileFaults(service: Service, slots: readonly Slot[], every = 1): Promise<string[]> {
  const faults: string[] = [];
  const progress = new Progress('slots', slots.length);
  for (const [place, slot] of slots.entries()) {
    const shapes = Object.entries(slot.isJson ? JSON_SHAPES : TEXT_SHAPES);
    for (const [name, shape] of shapes.filter((_, i) => (i + place) % every === 0)) {
      const fault = await faultOf(service, slot, shape).catch((error: unknown) => String(error));
      if (fault !== undefined) faults.push(`${slot.operation}, ${slot.place}, ${name}: ${fault}`);
    }
    progress.step();
  }
  return faults;
}

async function faultOf(service: Service, slot: Slot, shape: Shape): Promise<string | undefined> {
  const request = slot.request(shape(slot.size, slot.sample));
  const { status, text, cpuMs } = await measure(service, request);
  if (!(status < 500)) return `status ${status}: ${text.slice(0, 300)}`;
  if (status === 429) return 'the key has reached its limit: the text is not examined';
  if (TOO_LARGE.has(status)) return `status ${status}: the text is not examined`;
  if (cpuMs <= EXAMINED_MS) return undefined;
  const bytes =
    request.target.length + JSON.stringify(request.headers).length + Buffer.byteLength(request.body ?? '');
  const bound = Math.min(MAX_TURN_MS, BASE_MS + bytes * MS_PER_BYTE);
  const full = await leastMs(service, slot, shape, slot.size, cpuMs);
  if (full > bound) return `${full.toFixed(1)} ms of CPU for ${bytes} bytes`;
  if (full <= EXAMINED_MS) return undefined;
  const small = await leastMs(service, slot, shape, Math.floor(slot.size / SHRINK), full);
  if (full <= GROWTH * Math.max(small, LEAST_MS)) return undefined;
  return `${full.toFixed(1)} ms of CPU, ${small.toFixed(1)} ms for an eighth of the size`;
}

/** The least CPU time of several requests, because noise only adds. */
async function leastMs(
  service: Service,
  slot: Slot,
  shape: Shape,
  size: number,
  known: number,
): Promise<number> {
  let least = known;
  for (let i = 0; i < REPEATS; i += 1) {
    const { cpuMs }: Measured = await measure(service, slot.request(shape(size, slot.sample)));
    least = Math.min(least, cpuMs);
  }
  return least;
}

/** Compiles the code that handles a request, as in a running service. */
export async function warmUp(service: Service, slots: readonly Slot[]): Promise<void> {
  for (const slot of slots) {
    for (let i = 0; i < WARM_UP_REQUESTS; i += 1) {
      const { status } = await measure(service, slot.request(slot.sample));
      assert.ok(status < 500, `${slot.operation}, ${slot.place}: ${status}`);
    }
  }
}

/** A service that reads all that a caller can send: it has proxies, origins and a token. */
export function startHostile(
  t: Parameters<typeof startService>[0],
  options: Pick<ServiceOptions, 'runtime'>,
): Promise<TestedService> {
  return startService(t, {
    ...options,
    pets: [{ petId: 1n, quantity: 5 }],
    env: {
      PETSTORE_TRUSTED_PROXIES: '127.0.0.1',
      PETSTORE_CORS_ORIGINS: 'https://shop.example',
      PETSTORE_METRICS_TOKEN: 'a'.repeat(32),
    },
  });
}

/** The keys of a service, with so many management keys. */
export async function keysOf(service: TestedService, count: number): Promise<SlotKeys> {
  const adminKeys: string[] = [];
  for (let i = 0; i < count; i += 1) adminKeys.push(await makeAdminKey(service, 'administrator'));
  return { key: service.key, adminKeys };
}
