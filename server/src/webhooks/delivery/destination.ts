import { Resolver } from 'node:dns/promises';
import { isAllowedAddress, isInNetworks, type Network } from './addresses.ts';
import { DeliveryError } from './delivery-error.ts';
import { type EndpointUrl, isOwnHost, ownAddresses } from './endpoint-url.ts';

/** How long addresses of a name are used, whatever its records say. */
const CACHE_MS = 10_000;
const MAX_CACHED_NAMES = 4_096;
const MAX_CHECKED_ADDRESSES = 4_096;
/** Returns all addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/**
 * Resolves names by the name servers of the machine. Not by `getaddrinfo`: each of its calls takes one of few threads for
 * as long as a name server does not respond, so that some dead names would delay all others.
 */
export function createResolve(resolver = new Resolver({ timeout: 2_000, tries: 2 })): Resolve {
  return async (name) => {
    const families = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    const failed = families.flatMap((family) => (family.status === 'rejected' ? [family.reason] : []));
    // Many name servers fail for the family of which a name has no addresses.
    // A name without addresses does not fail: it has other records, or is an alias of such a name.
    if (addresses.length === 0 && failed.length > 0) throw failed[0];
    return addresses;
  };
}

/** Whether an address may be used, and with `http:`. */
interface Checked {
  readonly isAllowed: boolean;
  readonly isInNetworks: boolean;
}

/** Finds the address to connect to. */
export class Destinations {
  readonly #networks: readonly Network[];
  readonly #resolve: Resolve;
  readonly #elapsedMs: () => number;
  readonly #cached = new Map<string, { readonly addresses: readonly string[]; readonly untilMs: number }>();

  /** By the texts of addresses, which attempts use again and again. */
  readonly #checked = new Map<string, Checked>();

  constructor(networks: readonly Network[], resolve: Resolve, elapsedMs: () => number) {
    this.#networks = networks;
    this.#resolve = resolve;
    this.#elapsedMs = elapsedMs;
  }

  /**
   * Returns an address that is allowed. The connection must be made to exactly this address: another look-up of the name
   * could return another one (DNS rebinding).
   * @param failures Failed attempts before this one, so that the next attempt uses the next address.
   * @throws DeliveryError when the name does not resolve, or when any of its addresses is not allowed.
   */
  async find({ host, isAddress, isSecure }: EndpointUrl, failures: number): Promise<string> {
    const addresses = isAddress ? [host] : await this.#addressesOf(host);
    for (const address of addresses) {
      const checked = this.#check(address);
      if (!checked.isAllowed) {
        // Without the address: an account must not learn the internal addresses of names.
        throw new DeliveryError(
          'address_not_allowed',
          isAddress
            ? `The address ${host} is not public.`
            : `The name ${host} has an address that is not public.`,
        );
      }
      if (!isSecure && !checked.isInNetworks) {
        throw new DeliveryError(
          'address_not_allowed',
          `The URL must begin with https, because ${address} is public.`,
        );
      }
    }
    return addresses[failures % addresses.length] as string;
  }

  #check(address: string): Checked {
    const known = this.#checked.get(address);
    if (known) return known;
    const checked = {
      isAllowed: isAllowedAddress(address, this.#networks),
      isInNetworks: isInNetworks(address, this.#networks),
    };
    if (this.#checked.size >= MAX_CHECKED_ADDRESSES) this.#checked.clear();
    this.#checked.set(address, checked);
    return checked;
  }

  async #addressesOf(host: string): Promise<readonly string[]> {
    if (isOwnHost(host)) {
      const allowed = ownAddresses().filter((address) => isInNetworks(address, this.#networks));
      return allowed.length > 0 ? allowed : ownAddresses();
    }
    const cached = this.#cached.get(host);
    if (cached && this.#elapsedMs() < cached.untilMs) return cached.addresses;
    this.#cached.delete(host);
    const addresses = await this.#resolve(host).catch((error: NodeJS.ErrnoException) => {
      throw new DeliveryError(
        'name_not_resolved',
        `The name ${host} does not resolve (${error.code ?? error.message}).`,
        host,
      );
    });
    if (addresses.length === 0) {
      throw new DeliveryError('name_not_resolved', `The name ${host} has no addresses.`, host);
    }
    if (this.#cached.size >= MAX_CACHED_NAMES) this.#cached.clear();
    this.#cached.set(host, { addresses, untilMs: this.#elapsedMs() + CACHE_MS });
    return addresses;
  }
}
