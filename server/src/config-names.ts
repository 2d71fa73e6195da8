const ADDRESS = /^[\d.]+$|^[\da-f:.]+$/i;
const PORT = /^\d{1,5}$/;
const PORT_URL = /^(?:tcp|udp|sctp):\/\/(?:[\d.]+|\[[\da-f:.]+\]):\d{1,5}$/i;

/** The variables that Kubernetes sets per service: the name after the prefix of the service, and the value. */
const SERVICE_VARIABLES: readonly (readonly [RegExp, RegExp])[] = [
  [/^SERVICE_HOST$/, ADDRESS],
  [/^SERVICE_PORT(?:_[A-Z0-9_]+)?$/, PORT],
  [/^PORT$/, PORT_URL],
  [/^PORT_\d{1,5}_(?:TCP|UDP|SCTP)$/, PORT_URL],
  [/^PORT_\d{1,5}_(?:TCP|UDP|SCTP)_PROTO$/, /^(?:tcp|udp|sctp)$/],
  [/^PORT_\d{1,5}_(?:TCP|UDP|SCTP)_PORT$/, PORT],
  [/^PORT_\d{1,5}_(?:TCP|UDP|SCTP)_ADDR$/, ADDRESS],
];

/** The variables of the program `petstore`, of the examples and of the guide of the client, which a shell of an integrator has besides those of the service. */
const CLIENT_VARIABLES: ReadonlySet<string> = new Set([
  'PETSTORE_URL',
  'PETSTORE_API_KEY',
  'PETSTORE_ADMIN_KEY',
  'PETSTORE_WEBHOOK_SECRET',
]);

/**
 * Finds each unknown name that begins with PETSTORE_, or that differs from a variable only in case. Accepts the
 * variables of the client, and those that Kubernetes sets for services whose names begin with `petstore`.
 * Each sentence names the variable, and the right one if only the prefix or the case differs.
 */
export function* unknownNames(environment: NodeJS.ProcessEnv, known: ReadonlySet<string>): Generator<string> {
  const prefixes = servicePrefixes(environment);
  for (const [name, value = ''] of Object.entries(environment)) {
    const upper = name.toUpperCase();
    // On Windows the names of variables are case-insensitive.
    const own = process.platform === 'win32' ? upper : name;
    if (known.has(own) || CLIENT_VARIABLES.has(own)) continue;
    if (!upper.startsWith('PETSTORE_') && !known.has(upper)) continue;
    if (prefixes.some((prefix) => isServiceVariable(prefix, name, value))) continue;
    const meant = [upper, upper.slice('PETSTORE_'.length)].find((candidate) => known.has(candidate));
    const hint = meant === undefined ? '' : `set ${meant}, or `;
    yield `${name} is not a variable of petstore-server; ${hint}see petstore-server serve --help.`;
  }
}

/** The prefix of each service. Kubernetes sets all of these three variables of a service, or none. */
function servicePrefixes(environment: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('PETSTORE_') && name.endsWith('SERVICE_HOST'))
    .map((name) => name.slice(0, -'SERVICE_HOST'.length))
    .filter((prefix) =>
      ['SERVICE_HOST', 'SERVICE_PORT', 'PORT'].every((ending) =>
        isServiceVariable(prefix, prefix + ending, environment[prefix + ending] ?? ''),
      ),
    );
}

function isServiceVariable(prefix: string, name: string, value: string): boolean {
  if (!name.startsWith(prefix)) return false;
  const ending = name.slice(prefix.length);
  return SERVICE_VARIABLES.some(([endings, values]) => endings.test(ending) && values.test(value));
}
