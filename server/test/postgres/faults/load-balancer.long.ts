import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startNginx } from '../support/nginx.ts';
import { startReverseProxy } from '../support/reverse-proxy.ts';
import { findNginx, type LoadBalancer } from './load-balancer.ts';

const DEADLINE_MS = 20_000;
type Start = (t: TestContext, ports: readonly number[]) => Promise<LoadBalancer>;

const nginx = findNginx();
const STARTS: readonly Start[] =
  nginx === undefined ? [startReverseProxy] : [startReverseProxy, (t, ports) => startNginx(t, ports, nginx)];

/** An instance of a service, which returns the received request. */
class Instance {
  isReady = true;
  closes = false;
  /** Breaks the connection instead of answering, once the request is there. */
  breaks = false;
  /** Connections with requests other than readiness checks. */
  readonly connections = new Set<Socket>();
  /** Method and body of every request but the checks. */
  readonly got: string[] = [];
  readonly #server = createServer((incoming, outgoing) => void this.#answer(incoming, outgoing));

  async listen(t: TestContext): Promise<this> {
    t.after(() => this.stop());
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (incoming.url === '/readyz') {
      outgoing.writeHead(this.isReady ? 200 : 503, { Connection: 'close' }).end();
      return;
    }
    const body = (await incoming.setEncoding('utf8').toArray()).join('');
    this.connections.add(incoming.socket);
    this.got.push(`${incoming.method} ${body}`);
    if (this.breaks) {
      incoming.socket.destroy();
      return;
    }
    outgoing.writeHead(201, {
      'X-Port': this.port,
      'X-Forwarded-For': incoming.headers['x-forwarded-for'] ?? '',
      ...(this.closes ? { Connection: 'close' } : {}),
    });
    outgoing.end(`${incoming.url} ${incoming.headers['x-original']} ${body}`);
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function startInstances(t: TestContext): Promise<[Instance, Instance]> {
  return [await new Instance().listen(t), await new Instance().listen(t)];
}

async function send(balancer: LoadBalancer, options: RequestInit = {}, path = '/') {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  // On a change of its upstreams nginx closes idle connections, even if the next request is already on its way.
  const headers = { ...options.headers, Connection: 'close' };
  const answer = await fetch(balancer.url + path, { ...options, headers, signal });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** The port of the instance that answered a request. */
async function portOf(balancer: LoadBalancer, options?: RequestInit): Promise<number> {
  const { status, headers } = await send(balancer, options);
  assert.equal(status, 201);
  return Number(headers.get('x-port'));
}

function patch(body: string): RequestInit {
  return { method: 'PATCH', body };
}

async function portsOf(balancer: LoadBalancer, requests: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < requests) ports.push(await portOf(balancer));
  return ports;
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, what);
    await delay(20);
  }
}

for (const start of STARTS) {
  test('requests and answers pass whole', async (t) => {
    const [one] = await startInstances(t);
    const balancer = await start(t, [one.port]);
    t.diagnostic(balancer.kind);
    const body = 'x'.repeat(500_000);
    const original = { ...patch(body), headers: { 'X-Original': 'yes' } };
    const { status, headers, text } = await send(balancer, original, '/a%20b?c=1');
    assert.equal(status, 201);
    assert.equal(headers.get('x-forwarded-for'), '127.0.0.1');
    const expected = `/a%20b?c=1 yes ${body}`;
    // A failed comparison of the texts themselves would print a megabyte.
    assert.deepEqual([text.length, sha256(text)], [expected.length, sha256(expected)]);
  });

  test('requests go to the instances in turn, over connections that stay', async (t) => {
    const [one, two] = await startInstances(t);
    const balancer = await start(t, [one.port, two.port]);
    const ports = await portsOf(balancer, 40);
    assert.equal(ports.filter((port) => port === one.port).length, 20);
    assert.deepEqual([one.connections.size, two.connections.size], [1, 1]);
  });

  test('instances that are taken out get no request, and those put in do', async (t) => {
    const [one, two] = await startInstances(t);
    const balancer = await start(t, [one.port]);
    assert.deepEqual(new Set(await portsOf(balancer, 5)), new Set([one.port]));
    await balancer.setUpstreams([two.port]);
    assert.deepEqual(new Set(await portsOf(balancer, 5)), new Set([two.port]));
    await balancer.setUpstreams([one.port, two.port]);
    assert.equal((await portsOf(balancer, 4)).filter((port) => port === two.port).length, 2);
  });

  test('a connection that an instance closes is not reused, and no request is lost', async (t) => {
    const [one, two] = await startInstances(t);
    const balancer = await start(t, [one.port, two.port]);
    for (const instance of [one, two]) instance.closes = true;
    for (let i = 0; i < 40; i += 1) await portOf(balancer, patch(`${i}`));
    const bodies = [...one.got, ...two.got].map((got) => got.replace('PATCH ', ''));
    assert.deepEqual(bodies.toSorted(), Array.from({ length: 40 }, (_, i) => `${i}`).toSorted());
  });

  test('an instance that is gone costs no request, not even one that changes something', async (t) => {
    const [one, two] = await startInstances(t);
    const balancer = await start(t, [one.port, two.port]);
    // A service that stops does the same: the outcome of a request on a closing connection is unknown.
    one.closes = true;
    await portsOf(balancer, 4);
    one.stop();
    for (let i = 0; i < 20; i += 1) assert.equal(await portOf(balancer, patch(`${i}`)), two.port);
    assert.equal(two.got.filter((got) => got.startsWith('PATCH')).length, 20);
  });

  test('a change that an instance may have made is not sent again; a question is', async (t) => {
    const [one, two] = await startInstances(t);
    const balancer = await start(t, [one.port, two.port]);
    one.breaks = true;
    let sent = 0;
    await until(async () => {
      sent += 1;
      return (await send(balancer, patch('once'))).status === 502;
    }, 'the change is not answered');
    assert.equal(one.got.length, 1);
    assert.equal(two.got.length, sent - 1);
    one.got.length = 0;
    await until(async () => {
      assert.equal(await portOf(balancer), two.port);
      return one.got.length > 0;
    }, 'a question is answered by the other one');
  });
}

test('an instance that is not ready is left out until it is', async (t) => {
  const [one, two] = await startInstances(t);
  const balancer = await startReverseProxy(t, [one.port, two.port]);
  one.isReady = false;
  await until(async () => !(await portsOf(balancer, 4)).includes(one.port), 'it is left out');
  one.isReady = true;
  await until(async () => (await portsOf(balancer, 4)).includes(one.port), 'it is back');
  for (const instance of [one, two]) instance.isReady = false;
  const isRefused = async () => (await send(balancer)).status === 503;
  await until(isRefused, 'without one that is ready, the answer is 503');
});
