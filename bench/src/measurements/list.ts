import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RecordedAnswers } from '../baselines/bare-http.ts';
import { findNginx, startNginx } from '../baselines/nginx.ts';
import { type Bench, compareCosts } from '../compare.ts';
import type { LoadPlan } from '../load.ts';
import { type Server, startServer } from '../process.ts';
import { type Row, row, unmeasured } from '../report.ts';
import { type Answer, applicationHeaders, header, send } from '../send.ts';
import { makeShop, type Service } from '../shop.ts';

const BARE_HTTP = fileURLToPath(new URL('../baselines/bare-http.ts', import.meta.url));
const LIST_NODE = 'list of 100 items, Node / bare node:http';
const LIST_BUN = 'list of 100 items, Bun / nginx';
const NOT_MODIFIED = 'list answered 304, Node / bare node:http sending the list';

/**
 * Starts bare `node:http` that sends recorded answers of the service to a list and a change.
 * @param isDurable Whether each change is on the disk before its response.
 */
export async function startBareHttp(bench: Bench, service: Service, isDurable = false): Promise<Server> {
  const change = applicationHeaders(await service.change(1, 7));
  const list = await service.list();
  for (const name of Object.keys(change)) if (name.toLowerCase() === 'content-length') delete change[name];
  const answers: RecordedAnswers = {
    list: { headers: applicationHeaders(list), body: list.body.toString() },
    change: { headers: change },
  };
  const folder = mkdtempSync(join(bench.directory, 'bare-http-'));
  const file = join(folder, 'answers.json');
  writeFileSync(file, JSON.stringify(answers));
  const journal = isDurable ? [join(folder, 'journal')] : [];
  const bare = await startServer([process.execPath, BARE_HTTP, file, ...journal]);
  await assertSendsTheSame(bare, list);
  return bare;
}

/** A baseline that sends less than the service would make the service look dear, one that sends more cheap. */
async function assertSendsTheSame(baseline: Server, list: Answer): Promise<void> {
  const answer = await send(new URL('/v1/inventory', baseline.url));
  assert.deepEqual(sortedHeaders(answer), sortedHeaders(list));
  assert.ok(answer.body.equals(list.body), 'the baseline sends another body');
}

function sortedHeaders(answer: Answer): [string, string][] {
  const headers = Object.entries(applicationHeaders(answer));
  return headers.map(([name, value]): [string, string] => [name.toLowerCase(), value]).sort();
}

/** The same requests to another server. */
export function sentTo(server: Server, plan: LoadPlan): LoadPlan {
  return { ...plan, ports: [Number(server.url.port)] };
}

function sent(answer: Answer): string {
  return `${answer.body.length} bytes and ${Object.keys(applicationHeaders(answer)).length} headers`;
}

/** The list on Node against a server that checks nothing. */
export async function measureList(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, 100);
  await using service = await shop.start();
  await using bare = await startBareHttp(bench, service);
  const plan = service.listPlan();
  const { ratios, detail } = await compareCosts(
    bench,
    { name: 'service', pid: service.pid, plan },
    { name: 'bare node:http', pid: bare.pid, plan: sentTo(bare, plan) },
  );
  const both = `${sent(await service.list())} each; ${detail}`;
  return [row({ work: LIST_NODE, values: ratios, unit: 'x', digits: 2, atMost: 1.3, detail: both })];
}

/** The list on Bun against nginx with a static file. */
export async function measureListOnBun(bench: Bench): Promise<Row[]> {
  const program = findNginx();
  if (program === undefined) return [unmeasured(LIST_BUN, 'nginx not found')];
  const shop = await makeShop(bench, 100);
  await using service = await shop.start('bun');
  const list = await service.list();
  const headers = applicationHeaders(list);
  await using nginx = await startNginx(program, bench.directory, { headers, body: list.body });
  await assertSendsTheSame(nginx, list);
  const plan = service.listPlan();
  const { ratios, detail } = await compareCosts(
    bench,
    { name: 'service', pid: service.pid, plan },
    { name: 'nginx', pid: nginx.pid, plan: sentTo(nginx, plan) },
  );
  const both = `${sent(list)} each; ${detail}`;
  return [row({ work: LIST_BUN, values: ratios, unit: 'x', digits: 2, atMost: 1.1, detail: both })];
}

/** A client that has the list already, against a server that sends it anyway. */
export async function measureNotModified(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, 100);
  await using service = await shop.start();
  await using bare = await startBareHttp(bench, service);
  const { ratios, detail } = await compareCosts(
    bench,
    { name: 'service (304)', pid: service.pid, plan: service.listPlan(header(await service.list(), 'etag')) },
    { name: 'bare node:http (200)', pid: bare.pid, plan: sentTo(bare, service.listPlan()) },
  );
  return [row({ work: NOT_MODIFIED, values: ratios, unit: 'x', digits: 2, atMost: 1.2, detail })];
}
