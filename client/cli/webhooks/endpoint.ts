import { PetstoreError, type WebhookEndpointRequest } from '../../src/index.ts';
import { EXIT, exitCodeOf } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';
import type { Run } from '../run.ts';

interface Notes {
  /** Shows a sentence to the user. */
  readonly note: (text: string) => void;
  /** Takes the secret of the new endpoint. */
  readonly keep: (secret: string) => void;
}

/** Makes an endpoint, tests it, runs the work, and removes the endpoint, whatever happens. */
export async function withEndpoint(
  run: Run,
  body: WebhookEndpointRequest,
  { note, keep }: Notes,
  work: () => Promise<void>,
): Promise<void> {
  const { client, request, wait } = run;
  const { endpoint, secret } = await wait('Making an endpoint', () =>
    client.createWebhookEndpoint(body, request),
  ).catch(explain);
  try {
    keep(secret);
    note(`Made the endpoint ${endpoint.id} for ${endpoint.url}; it is removed at the end.`);
    const { error } = await wait('Testing the endpoint', () =>
      client.testWebhookEndpoint(endpoint.id, request),
    );
    if (error !== null) {
      throw new CommandFailure(
        `A test message did not arrive at ${endpoint.url}: ${error} The address must lead to this port. ` +
          'A tunnel such as cloudflared or ngrok does that.',
        EXIT.unreachable,
      );
    }
    await work();
  } finally {
    // Not with the signal of the command: after Ctrl-C the endpoint must be removed too.
    await client.deleteWebhookEndpoint(endpoint.id, { maxWaitMs: 10_000 }).then(
      () => note(`Removed the endpoint ${endpoint.id}.`),
      (error: Error) => note(`warning: the endpoint ${endpoint.id} was not removed (${error.message}).`),
    );
  }
}

/** Adds what the user can do. */
function explain(error: unknown): never {
  if (!(error instanceof PetstoreError)) throw error;
  const ways: Readonly<Record<string, string>> = {
    insufficient_scope:
      'Use a key with the scope webhooks:manage; or let the operator make the endpoint, and set PETSTORE_WEBHOOK_SECRET to its secret.',
    validation_failed:
      'The service sends only to public addresses by https, unless its operator allows others (PETSTORE_WEBHOOK_NETWORKS). A tunnel such as cloudflared or ngrok gives this port one.',
  };
  const way = ways[error.code];
  throw way === undefined ? error : new CommandFailure(`${error.message} ${way}`, exitCodeOf(error), error);
}
