import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createKey } from '../../../src/cli/keys/new-key.ts';
import { until } from '../../support/until.ts';
import { assertContract, request } from '../api-request.ts';
import { type RawResponse, RawSocket } from '../raw-socket.ts';
import type { Service } from '../service.ts';
import type { Target } from '../targets.ts';

const PATH = '/admin/v1/imports';

/** A service that takes files of pets. */
export interface Uploading {
  readonly service: Service;
  readonly key: string;
  /** Opens a connection and sends the head of an upload. */
  open(headers: Readonly<Record<string, string>>): Promise<RawSocket>;
  get(path: string): Promise<Record<string, unknown>>;
}

export async function startUploads(
  t: TestContext,
  target: Target,
  env: Record<string, string> = {},
): Promise<Uploading> {
  const service = await target.start(t, { env });
  const key = await service.withAdmin(async (admin, config) => {
    const fields = { role: 'staff', name: 'staff', scopes: null, expiresAtMs: null } as const;
    return (await createKey(config, admin, fields)).secret;
  });
  const open: Uploading['open'] = async (headers) => {
    const socket = await RawSocket.open(service.port);
    t.after(() => socket.destroy());
    const all = { Host: 'localhost', Authorization: `Bearer ${key}`, 'Content-Type': 'text/csv', ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.send(`POST ${PATH} HTTP/1.1\r\n${lines.join('')}\r\n`);
    return socket;
  };
  const get: Uploading['get'] = async (path) =>
    JSON.parse((await request(service, { path: `${PATH}${path}`, key })).body.toString());
  return { service, key, open, get };
}

/** The next answer on a connection. */
export async function answerOf(socket: RawSocket, deadlineMs?: number) {
  const answer = await socket.next(deadlineMs === undefined ? {} : { deadlineMs });
  assert.ok(answer, 'the connection was closed without an answer');
  assertContract(answer);
  return answer;
}

/** The import of an upload, after its check. */
export async function settled(uploading: Uploading, socket: RawSocket): Promise<Record<string, unknown>> {
  return checked(uploading, await answerOf(socket));
}

/** The import of an answer, after its check. */
export async function checked({ get }: Uploading, answer: RawResponse): Promise<Record<string, unknown>> {
  assert.equal(answer.status, 202, answer.body.toString());
  const { id } = JSON.parse(answer.body.toString()) as { id: string };
  let found: Record<string, unknown> = {};
  await until(async () => {
    found = await get(`/${id}`);
    return found.state !== 'checking';
  }, 'the file is checked');
  return found;
}
