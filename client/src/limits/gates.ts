import type { Settings } from '../settings.ts';
import { Gate } from './gate.ts';

/** Gates that are kept although nothing waits at them. */
const MAX_IDLE_GATES = 1_000;
/** By `fetch`, so that a client with another way to the service has its own. */
const GATES = new WeakMap<typeof globalThis.fetch, Map<string, Gate>>();

/** The gate of an API key. All clients of this process with the key share it, because a ban would hit all of them. */
export function gateOf({ fetch, clock, baseUrl, apiKey }: Settings): Gate {
  const gates = GATES.get(fetch) ?? new Map<string, Gate>();
  GATES.set(fetch, gates);
  const name = `${apiKey} ${baseUrl}`;
  const known = gates.get(name);
  if (known) return known;
  if (gates.size >= MAX_IDLE_GATES) {
    for (const [other, { isIdle }] of gates) if (isIdle) gates.delete(other);
  }
  const gate = new Gate(clock);
  gates.set(name, gate);
  return gate;
}
