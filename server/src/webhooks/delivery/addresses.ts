import ipaddr from 'ipaddr.js';

/** A block of addresses (CIDR). */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Networks within `unicast` that lead elsewhere: 0.0.0.0/8 is the own host, 168.63.129.16 serves the machines of Azure,
 * 192.88.99.0/24 relays to 6to4 (RFC 7526), 64:ff9b:1::/48 translates to IPv4 (RFC 8215), and outside of 2000::/3 no IPv6 address is assigned to the public (RFC 4291).
 */
const NOT_PUBLIC_V4 = ['0.0.0.0/8', '168.63.129.16/32', '192.88.99.0/24'].map((text) =>
  ipaddr.parseCIDR(text),
);
const PUBLIC_V6 = ipaddr.parseCIDR('2000::/3');

/** Reads a CIDR block, or an address as a block of one. Returns `undefined` for other text. */
export function parseNetwork(text: string): Network | undefined {
  try {
    if (text.includes('/')) return isCanonical(text) ? ipaddr.parseCIDR(text) : undefined;
    const address = parseAddress(text);
    return address && [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch {
    return undefined;
  }
}

/** Reads a list of CIDR blocks and addresses. @throws TypeError that names the first text that is neither. */
export function parseNetworks(texts: readonly string[]): readonly Network[] {
  return texts.map((text) => {
    const network = parseNetwork(text);
    if (!network) throw new TypeError(`${text} is neither an address nor a CIDR block.`);
    return network;
  });
}

/** Whether webhooks may be sent to an address, which is text as a resolver returns it. */
export function isAllowedAddress(text: string, networks: readonly Network[]): boolean {
  const address = parseAddress(text);
  return address !== undefined && (isPublic(address) || isWithin(address, networks));
}

/** Whether the operator allows an address by a network, and thereby `http:` too. */
export function isInNetworks(text: string, networks: readonly Network[]): boolean {
  const address = parseAddress(text);
  return address !== undefined && isWithin(address, networks);
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' ? !isWithin(address, NOT_PUBLIC_V4) : isWithin(address, [PUBLIC_V6]);
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, networks: readonly Network[]): boolean {
  return networks.some(
    ([first, bits]) => first.kind() === address.kind() && address.match(first as ipaddr.IPv4, bits),
  );
}

/** Only dotted IPv4 and IPv6 without a zone: `ipaddr.js` reads octal and shortened IPv4 too. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const isDotted = ipaddr.IPv4.isValidFourPartDecimal(text);
  if (!isDotted && !(ipaddr.IPv6.isValid(text) && !text.includes('%'))) return undefined;
  return ipaddr.parse(text);
}

function isCanonical(block: string): boolean {
  return parseAddress(block.slice(0, block.indexOf('/'))) !== undefined;
}
