import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { OperatorError } from '../../domain/errors.ts';

/** The proxies whose headers about the client are true. */
export class TrustedProxies {
  readonly #blocks: BlockList;

  /** @throws OperatorError when a proxy is neither an address nor a CIDR block. */
  constructor(proxies: readonly string[]) {
    this.#blocks = blockList(proxies);
  }

  has(address: string): boolean {
    if (isIPv4(address)) return this.#blocks.check(address, 'ipv4');
    return isIPv6(address) && this.#blocks.check(address, 'ipv6');
  }
}

/** An IPv4 address as itself, not as an IPv6 one. */
export function unmapped(address: string): string {
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return ipv4 ?? address;
}

function blockList(proxies: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const proxy of proxies) {
    const [address = '', prefix, ...rest] = proxy.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    try {
      // An empty prefix would be 0, and every address a trusted proxy.
      if (rest.length > 0 || !/^\d+$/.test(prefix ?? '0')) throw new Error('not a CIDR block');
      if (prefix === undefined) blocks.addAddress(address, family);
      else blocks.addSubnet(address, Number(prefix), family);
    } catch {
      throw new OperatorError(
        `PETSTORE_TRUSTED_PROXIES: ${JSON.stringify(proxy)} is not an address or CIDR block.`,
      );
    }
  }
  return blocks;
}
