import { isAllowedAddress, isInNetworks, type Network } from './addresses.ts';

const MAX_URL_LENGTH = 2_048;
/** RFC 6761 section 6.3: names that are always the own host. */
const OWN_HOST = /(?:^|\.)localhost$/;

const HTTP_RULE = 'http is allowed only inside PETSTORE_WEBHOOK_NETWORKS';
const ALLOW = 'The operator can allow it in PETSTORE_WEBHOOK_NETWORKS.';

/** Where the deliveries of an endpoint are sent. */
export interface EndpointUrl {
  readonly isSecure: boolean;
  /** A name without a trailing dot, or an address without brackets. */
  readonly host: string;
  readonly isAddress: boolean;
  readonly port: number;
  /** The value of the `Host` header. */
  readonly authority: string;
  /** Path and query. */
  readonly target: string;
}

/**
 * Reads the URL of an endpoint. `new URL` turns all forms of an IPv4 address into the dotted one (WHATWG URL standard).
 * @returns A sentence for the client if the URL cannot be that of an endpoint. What its name resolves to is not checked.
 */
export function parseEndpointUrl(text: string, networks: readonly Network[]): EndpointUrl | string {
  if (text.length > MAX_URL_LENGTH)
    return `A URL has at most ${MAX_URL_LENGTH} characters, and this one has ${text.length}.`;
  // `URL` leaves out tabs and line ends, which would break the lines of logs and lists.
  if (/\p{Cc}/u.test(text)) return 'The URL must not have control characters.';
  const url = URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text))
    return 'The URL must begin with https:// and a host, such as https://shop.example/hooks.';
  if (url.username !== '' || url.password !== '') return 'The URL must not have a user name or a password.';
  const isSecure = url.protocol === 'https:';
  if (!isSecure && networks.length === 0) return `${HTTP_RULE}, which is empty. Begin the URL with https.`;
  const isAddress = url.hostname.startsWith('[') || /^[\d.]+$/.test(url.hostname);
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === '' || host.endsWith('.')) return 'The URL must have the name of a host.';
  if (isAddress && !isAllowedAddress(host, networks)) return `The address ${host} is not public. ${ALLOW}`;
  if (isAddress && !isSecure && !isInNetworks(host, networks)) {
    return `${HTTP_RULE}, which does not have ${host}. Begin the URL with https.`;
  }
  if (isOwnHost(host) && !ownAddresses().some((address) => isInNetworks(address, networks))) {
    return `The name ${host} is not public. ${ALLOW}`;
  }
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  if (port === 0) return 'The port must not be 0.';
  const target = url.pathname + url.search;
  return { isSecure, host, isAddress, port, authority: url.host, target };
}

/** Whether a name is `localhost` or below it. A name server may not answer for such a name. */
export function isOwnHost(host: string): boolean {
  return OWN_HOST.test(host);
}

export function ownAddresses(): readonly string[] {
  return ['127.0.0.1', '::1'];
}
