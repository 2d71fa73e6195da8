import type { IncomingMessage, ServerResponse } from 'node:http';

/** Where a request keeps whether its client waits for `100 Continue`. A weak map costs more per request. */
const waits = Symbol('waits');
type WaitingMessage = IncomingMessage & { [waits]?: boolean };

/** Notes that the client sends the body after `100 Continue`, or after a while without it. */
export function awaitContinue(incoming: WaitingMessage): void {
  incoming[waits] = true;
}

/**
 * Asks a client that waits for it to send the body (RFC 9110 section 10.1.1). Only who reads the body asks: a client whose
 * file of 64 MB is refused for its key need not send it. Node closes the connection after a response without the question.
 */
export function askForBody(incoming: WaitingMessage, outgoing: ServerResponse): void {
  if (incoming[waits] !== true) return;
  incoming[waits] = false;
  // Also after a body that came without it, so that the connection stays open.
  if (!outgoing.headersSent) outgoing.writeContinue();
}
