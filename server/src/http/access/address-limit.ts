import { isIPv4, isIPv6 } from 'node:net';
import { WindowCount, type WindowUsage } from '../../domain/access/rate-limit.ts';
import type { Peer } from '../../listen/peer.ts';
import { TrustedProxies, unmapped } from './trusted-proxies.ts';

/** Addresses that are counted at the same time. The oldest address is dropped for a new one. */
const MAX_CACHED_ADDRESSES = 100_000;

/** The limit of callers without a valid key, per IPv4 address or IPv6 /64, in memory of this process. */
export class AddressLimit {
  readonly #perMinute: number;
  readonly #trustedProxies: TrustedProxies;
  readonly #counts = new Map<string, WindowCount>();

  /** @throws OperatorError when a proxy is neither an address nor a CIDR block. */
  constructor(perMinute: number, trustedProxies: readonly string[]) {
    this.#perMinute = perMinute;
    this.#trustedProxies = new TrustedProxies(trustedProxies);
  }

  /** Takes one request from the caller's minute if one is left. Returns whether one was left, and the window after it. */
  charge(
    peer: Peer,
    forwardedFor: string | null,
    nowMs: number,
  ): { isAdmitted: boolean; window: WindowUsage } {
    const count = this.#countOf(this.callerOf(peer, forwardedFor));
    count.turnTo(nowMs);
    const isAdmitted = count.used < this.#perMinute;
    if (isAdmitted) count.used += 1;
    return { isAdmitted, window: count.usage(this.#perMinute) };
  }

  /** Gives back a request of the present minute. */
  refund(peer: Peer, forwardedFor: string | null, nowMs: number): WindowUsage {
    const count = this.#countOf(this.callerOf(peer, forwardedFor));
    count.turnTo(nowMs);
    count.used = Math.max(0, count.used - 1);
    return count.usage(this.#perMinute);
  }

  /** Returns the caller's window without taking a request. */
  peek(peer: Peer, forwardedFor: string | null, nowMs: number): WindowUsage {
    const count = this.#counts.get(this.callerOf(peer, forwardedFor)) ?? new WindowCount('minute');
    count.turnTo(nowMs);
    return count.usage(this.#perMinute);
  }

  /** The last address of the chain that is not a trusted proxy. Anyone can forge the addresses before it. IPv6 as its /64. */
  callerOf(peer: Peer, forwardedFor: string | null): string {
    let caller = unmapped(peer.remoteAddress ?? '');
    const hops = forwardedFor?.split(',') ?? [];
    while (hops.length > 0 && this.#trustedProxies.has(caller)) {
      const hop = unmapped(withoutPort((hops.pop() as string).trim()));
      if (!isIPv4(hop) && !isIPv6(hop)) break;
      caller = hop;
    }
    return isIPv6(caller) ? networkOf(caller) : caller;
  }

  #countOf(caller: string): WindowCount {
    let count = this.#counts.get(caller);
    if (!count) {
      if (this.#counts.size >= MAX_CACHED_ADDRESSES) {
        const [oldest] = this.#counts.keys();
        this.#counts.delete(oldest as string);
      }
      count = new WindowCount('minute');
      this.#counts.set(caller, count);
    }
    return count;
  }
}

/** Some proxies append the client's port. An IPv6 address is then in brackets (RFC 7239 section 6). */
function withoutPort(hop: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(hop) ?? [];
  return ipv6 ?? ipv4 ?? hop;
}

/** The /64 of an IPv6 address, which one household or machine owns. */
function networkOf(address: string): string {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const before = head.split(':').filter(Boolean);
  const after = tail?.split(':').filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
