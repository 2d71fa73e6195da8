import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { postgresBinaries } from './postgres-binaries.ts';
import type { PostgresServer } from './postgres-server.ts';

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** Authorities and certificates for a server of a test, made by OpenSSL. */
export class Certificates {
  readonly #folder: string;
  readonly #server: PostgresServer;

  private constructor(folder: string, server: PostgresServer) {
    this.#folder = folder;
    this.#server = server;
  }

  /** Files for this server; `undefined` where there is no OpenSSL. */
  static async make(
    t: Pick<TestContext, 'after'>,
    server: PostgresServer,
  ): Promise<Certificates | undefined> {
    // The server is another user, which cannot enter each temporary folder.
    const folder = await mkdtemp(join((await postgresBinaries()).temporary, 'petstore-certificates-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o755);
    try {
      execFileSync('openssl', ['version'], { stdio: 'ignore' });
    } catch {
      return undefined;
    }
    return new Certificates(folder, server);
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  makeAuthority(name: string): void {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
    this.#openssl('req', '-x509', ...NEW_KEY, ...files, '-days', '2', '-subj', `/CN=${name}`);
  }

  /** Makes a certificate of a server. With `days` below 0 it has expired. */
  make(name: string, authority: string, { days = 2, address = '127.0.0.1' } = {}): void {
    const names = ['-subj', '/CN=postgres', '-addext', `subjectAltName=IP:${address}`];
    this.#openssl('req', ...NEW_KEY, '-keyout', `${name}.key`, '-out', `${name}.csr`, ...names);
    const signer = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-copy_extensions', 'copy'];
    this.#openssl(
      ...['x509', '-req', '-in', `${name}.csr`, ...signer],
      ...['-days', String(days), '-out', `${name}.pem`],
    );
  }

  /** The server has this certificate for each new session from now on. */
  async serve(name: string): Promise<void> {
    const { identity } = await postgresBinaries();
    for (const kind of ['key', 'pem']) {
      const file = this.path(`server.${kind}`);
      copyFileSync(this.path(`${name}.${kind}`), file);
      chmodSync(file, 0o600);
      if (identity.uid !== undefined) chownSync(file, identity.uid, identity.gid ?? -1);
    }
    await this.#server.query(`ALTER SYSTEM SET ssl_cert_file = '${this.path('server.pem')}'`);
    await this.#server.query(`ALTER SYSTEM SET ssl_key_file = '${this.path('server.key')}'`);
    await this.#setTls('on');
  }

  /** The server refuses TLS from now on. */
  end(): Promise<void> {
    return this.#setTls('off');
  }

  async #setTls(ssl: string): Promise<void> {
    await this.#server.query(`ALTER SYSTEM SET ssl = ${ssl}`);
    await this.#server.query('SELECT pg_reload_conf()');
  }

  #openssl(...words: readonly string[]): void {
    execFileSync('openssl', words, { cwd: this.#folder, stdio: ['ignore', 'ignore', 'pipe'] });
  }
}
