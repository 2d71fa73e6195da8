import { createSocket, type RemoteInfo } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import type { TestContext } from 'node:test';
import ipaddr from 'ipaddr.js';

const TYPE_A = 1;
const TYPE_CNAME = 5;
const TYPE_AAAA = 28;
const HEADER_BYTES = 12;
/** A response to a recursive query (RFC 1035 section 4.1.1). */
const RESPONSE_FLAGS = 0x8180;

/** Returns the addresses of a name, or the name of which it is an alias; called once per query. `undefined`: no response at all. */
export type Zone = (name: string) => readonly string[] | undefined;

export interface NameServer {
  readonly resolver: Resolver;
  /** The names of the queries so far. */
  readonly queries: readonly string[];
}

/**
 * Starts a name server on UDP (RFC 1035), and a resolver that uses it.
 * @param timeoutMs How long the resolver waits. A busy machine can stop this process for longer than a short one.
 */
export async function startNameServer(
  t: Pick<TestContext, 'after'>,
  zone: Zone,
  timeoutMs = 5_000,
): Promise<NameServer> {
  const queries: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const { name, type, end } = questionOf(query);
    queries.push(name);
    const addresses = zone(name);
    if (!addresses) return;
    const kind = type === TYPE_AAAA ? 'ipv6' : 'ipv4';
    const aliases = addresses.filter((text) => !ipaddr.isValid(text));
    const found = addresses.filter(ipaddr.isValid).map(ipaddr.parse);
    const ofKind = found.filter((address) => address.kind() === kind).map((address) => address.toByteArray());
    const records = [
      ...aliases.map((name) => recordOf(TYPE_CNAME, nameBytes(name))),
      ...(type === TYPE_A || type === TYPE_AAAA ? ofKind.map((bytes) => recordOf(type, bytes)) : []),
    ];
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(RESPONSE_FLAGS, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(
      Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  t.after(() => socket.close());
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return { resolver, queries };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A record without a lifetime, for the name of the question. */
function recordOf(type: number, bytes: readonly number[]): Buffer {
  return Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
}

function nameBytes(name: string): number[] {
  return [...name.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]), 0];
}
