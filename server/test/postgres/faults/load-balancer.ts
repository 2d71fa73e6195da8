import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Spreads requests over ports of this machine, in turn. Unlike our reverse proxy, nginx does not poll readiness: remove an
 * instance before you stop it, or a PATCH may reach it while it closes.
 */
export interface LoadBalancer {
  readonly kind: 'nginx' | 'reverse proxy';
  readonly url: string;
  readonly port: number;
  /**
   * Sends requests only to these upstreams from now on; running requests continue. nginx closes idle client
   * connections.
   */
  setUpstreams(ports: readonly number[]): Promise<void>;
}

/** The path of nginx, if it is installed. */
export function findNginx(): string | undefined {
  return findProgram('nginx');
}

/** The path of a server program, if it is installed; its folder may be in the PATH of root only. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}
