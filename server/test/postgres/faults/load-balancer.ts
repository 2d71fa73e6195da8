import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import { startNginx } from '../support/nginx.ts';
import { startReverseProxy } from '../support/reverse-proxy.ts';

/** Spreads requests over ports of this machine, in turn. */
export interface LoadBalancer {
  readonly kind: 'nginx' | 'reverse proxy';
  readonly url: string;
  readonly port: number;
  /**
   * Sends requests to these from now on, and to no others; requests under way are not disturbed. nginx closes those
   * connections of clients that are idle.
   */
  setUpstreams(ports: readonly number[]): Promise<void>;
}

/**
 * Starts nginx where the machine has one, else our own reverse proxy; it ends with the test. Unlike ours, nginx does
 * not ask whether an instance is ready: who stops one takes it out first, or a PATCH may reach it as it closes.
 */
export function startLoadBalancer(
  t: Pick<TestContext, 'after'>,
  ports: readonly number[],
): Promise<LoadBalancer> {
  const nginx = findNginx();
  return nginx === undefined ? startReverseProxy(t, ports) : startNginx(t, ports, nginx);
}

/** The path of nginx, if there is one. */
export function findNginx(): string | undefined {
  return findProgram('nginx');
}

/** The path of a server program, if there is one; it may be where only root looks. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}
