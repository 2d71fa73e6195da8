import scalar from '@scalar/fastify-api-reference';
import type { Plugin } from 'vite';

const MODULE = 'virtual:scalar-bundle';

/** Provides `virtual:scalar-bundle`: the address of Scalar's complete script, which is one file of the build. */
export function scalarBundle(): Plugin {
  return {
    name: 'scalar-bundle',
    apply: 'build',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return undefined;
      const file = this.emitFile({ type: 'asset', name: 'scalar.js', source: readBundle() });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
  };
}

interface Route {
  readonly url: string;
  readonly handler: (request: unknown, reply: Reply) => unknown;
}

interface Reply {
  header(): Reply;
  send(body: string): void;
}

/**
 * The script as the Fastify plugin serves it. The package with the sources installs 260 packages of 287 MB; this one has
 * the same script and 14 MB.
 */
function readBundle(): string {
  let source = '';
  const reply: Reply = {
    header: () => reply,
    send: (body) => {
      source = body;
    },
  };
  const server = {
    initialConfig: {},
    hasPlugin: () => false,
    route: ({ url, handler }: Route) => {
      if (url.endsWith('.js')) handler({}, reply);
    },
  };
  const register = scalar as unknown as (on: typeof server, options: object, done: () => void) => void;
  register(server, { configuration: { url: '/openapi.json' } }, () => undefined);
  if (source === '') throw new Error('@scalar/fastify-api-reference serves no script.');
  return source;
}
