/* The address of a PostgreSQL database, which can name several servers: postgres://user@a:5432,b:5432/shop */

/** The part before the hosts, which can have an `@` in a password, the hosts, and the part after them. */
const HOSTS = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;

/** The hosts of an address with their ports, as they are in it. */
function hostsOf(url: string): string {
  return HOSTS.exec(url)?.[2] ?? '';
}

/** The address of each server alone, in their order. */
export function serversOf(url: string): readonly string[] {
  return hostsOf(url)
    .split(',')
    .map((host) => withHosts(url, host));
}

/** A database's address as it may be shown: without a password. */
export function shownAddress(url: string): string {
  const { protocol, username, pathname } = new URL(serversOf(url)[0] as string);
  return `${protocol}//${username === '' ? '' : `${username}@`}${hostsOf(url)}${pathname}`;
}

/** Whether two addresses, which may be shown ones, name the same database of at least one server. */
export function sharesServer(a: string, b: string): boolean {
  const servers = serversOf(shownAddress(a));
  return serversOf(shownAddress(b)).some((server) => servers.includes(server));
}

/** An address with what `change` does to all of it except its hosts. */
export function changedAddress(url: string, change: (address: URL) => void): string {
  const address = new URL(serversOf(url)[0] as string);
  change(address);
  return withHosts(address.href, hostsOf(url));
}

function withHosts(url: string, hosts: string): string {
  return url.replace(HOSTS, (_, start: string, _hosts, rest: string) => `${start}${hosts}${rest}`);
}
