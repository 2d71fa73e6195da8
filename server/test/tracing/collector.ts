import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

type AttributeValue = { readonly stringValue?: string; readonly intValue?: number | string };

/** A span that a collector got, with its attributes by their names. */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'attributes'> & {
        readonly attributes: readonly { readonly key: string; readonly value: AttributeValue }[];
      })[];
    }[];
  }[];
}

export interface Collector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** All that it got, as text. */
  text(): string;
  requests(): number;
  /** Those of the last export. */
  lastHeaders(): IncomingHttpHeaders;
}

const accept = (response: ServerResponse): void =>
  void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');

/** Starts a collector of traces (OTLP over HTTP, JSON) for one test. */
export async function startCollector(
  t: Pick<TestContext, 'after'>,
  respond: (response: ServerResponse) => void = accept,
): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  let lastHeaders: IncomingHttpHeaders = {};
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.once('end', () => {
      const body = Buffer.concat(pieces).toString();
      bodies.push(body);
      lastHeaders = request.headers;
      spans.push(...spansOf(JSON.parse(body) as Export));
      respond(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  return {
    url,
    spans,
    text: () => bodies.join('\n'),
    requests: () => bodies.length,
    lastHeaders: () => lastHeaders,
  };
}

function spansOf({ resourceSpans }: Export): CollectedSpan[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map(({ attributes, ...span }) => ({
      ...span,
      attributes: Object.fromEntries(
        attributes.map(({ key, value: { stringValue, intValue } }) => [
          key,
          intValue === undefined ? stringValue : Number(intValue),
        ]),
      ),
    }));
}
