import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Bench, compareCosts } from '../compare.ts';
import { type Row, row } from '../report.ts';
import { makeShop } from '../shop.ts';

/** A collector in this process: it shares the cores with the service. */
async function startCollector(): Promise<
  AsyncDisposable & { readonly url: string; readonly exports: () => number }
> {
  let exports = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      exports += 1;
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    exports: () => exports,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A service that sends traces against one that does not: lists and durable changes. */
export async function measureTraces(bench: Bench): Promise<Row[]> {
  const [plain, tracing] = [await makeShop(bench, 100), await makeShop(bench, 100)];
  await using collector = await startCollector();
  await using off = await plain.start();
  await using on = await tracing.start('node', { PETSTORE_TRACES: collector.url });
  const rows: Row[] = [];
  for (const [work, planOf] of [
    ['list', () => [on.listPlan(), off.listPlan()] as const],
    ['durable change', () => [on.changePlan(), off.changePlan()] as const],
  ] as const) {
    const [onPlan, offPlan] = planOf();
    const { ratios, detail } = await compareCosts(
      bench,
      { name: 'with traces', pid: on.pid, plan: onPlan },
      { name: 'without', pid: off.pid, plan: offPlan },
    );
    rows.push(row({ work: `${work} with traces / without`, values: ratios, unit: 'x', digits: 2, detail }));
  }
  if (collector.exports() === 0) throw new Error('no trace arrived');
  return rows;
}
