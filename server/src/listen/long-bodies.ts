import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Where a socket keeps the request whose body may take longer than the time limit. A weak map costs more per request. */
const longBody = Symbol('longBody');
type LongSocket = Socket & { [longBody]?: IncomingMessage };

/** Lets the body of a request take as long as its reader allows. */
export function expectLongBody(incoming: IncomingMessage): void {
  const socket: LongSocket = incoming.socket;
  socket[longBody] = incoming;
}

/** Whether such a body is being read. Node reports a late request once. */
export function isReadingLongBody(socket: LongSocket): boolean {
  const incoming = socket[longBody];
  return incoming !== undefined && !incoming.complete && !incoming.destroyed;
}
