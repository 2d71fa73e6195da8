import { safe, safeJson } from '@petstore-inventory/shared/terminal/safe-text';
import type { WebhookEndpointRequest } from '../../src/index.ts';
import type { Context } from '../context.ts';
import { Interruption } from '../failure.ts';
import type { Run } from '../run.ts';
import { Printer } from '../terminal/printer.ts';
import { withEndpoint } from './endpoint.ts';
import { deliveryLine } from './format-delivery.ts';
import { type Delivery, startReceiver } from './receiver.ts';

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly url?: string;
  readonly types?: readonly string[];
  readonly pet?: readonly bigint[];
  readonly count?: number;
  readonly json?: true;
}

/** An endpoint to make, or the secret of one that exists. */
type Source = { readonly run: Run; readonly url: string } | { readonly secret: string };

/** Receives and prints events until Ctrl-C or the last one of `--count`. */
export async function listen(context: Context, options: ListenOptions, source: Source): Promise<void> {
  const { signal, stderr } = context;
  const printer = new Printer(context, options.json === true);
  const note = (text: string) => void stderr.write(`${safe(text)}\n`);
  let secret = 'secret' in source ? source.secret : undefined;
  const most = options.count ?? Number.POSITIVE_INFINITY;
  let taken = 0;
  let printed = 0;
  let finish = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    finish = resolve;
    signal.addEventListener('abort', () => reject(new Interruption()), { once: true });
  });
  // The promise may be rejected before anything waits for it.
  ended.catch(() => {});
  const onDelivery = async (delivery: Delivery) => {
    if (delivery.event.type === 'webhook.test') {
      note('The test message arrived.');
      return true;
    }
    // Printing waits for a slow reader, while further messages arrive.
    if (taken === most) return false;
    taken += 1;
    await printer.lines([printer.isJson ? safeJson(delivery.body) : deliveryLine(delivery, printer.paint)]);
    printed += 1;
    if (printed === most) finish();
    return true;
  };
  const { port, host } = options;
  const receiver = await startReceiver({ port, host, secret: () => secret, onDelivery, onRefused: note });
  note(`Listening on ${receiver.address}. Press Ctrl-C to stop.`);
  try {
    if ('secret' in source) return await ended;
    const keep = (made: string) => {
      secret = made;
    };
    await withEndpoint(source.run, endpointOf(source.url, options), { note, keep }, () => ended);
  } finally {
    await receiver.close();
  }
}

function endpointOf(url: string, { types, pet }: ListenOptions): WebhookEndpointRequest {
  return { url, description: 'petstore webhooks listen', types, petIds: pet };
}
