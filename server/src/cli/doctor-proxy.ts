import type { Config } from '../config.ts';
import { TrustedProxies } from '../http/access/trusted-proxies.ts';
import { fault, type Finding, ok, refusalOf, RESPONSE_TIMEOUT_MS } from './doctor-finding.ts';

/** The service itself has no TLS: an address with https is that of a proxy. */
export async function proxyFinding(
  baseUrl: string,
  { trustedProxies, allowHttpSessions }: Config,
): Promise<Finding> {
  const unusable = refusalOf(() => new TrustedProxies(trustedProxies));
  if (unusable !== undefined) return fault('proxy', unusable, 'petstore-server serve --help');
  if (!baseUrl.startsWith('https:')) {
    return ok('proxy', `The public address ${baseUrl} has no TLS, so no proxy is expected.`);
  }
  const origin = baseUrl.replace(/\/v1$/, '');
  const seen = allowHttpSessions ? undefined : await seenConnection(origin);
  if (seen === 'tls')
    return ok('proxy', `Through ${origin} the service sees TLS: the headers of its proxy are trusted.`);
  if (seen === 'none') {
    return fault(
      'proxy',
      `Through ${origin} the service sees no TLS: the proxy must send X-Forwarded-Proto and X-Forwarded-For, and its address must be trusted. All clients share one address limit, and the dashboard refuses each sign-in.`,
      'export PETSTORE_TRUSTED_PROXIES=<address of the proxy>',
    );
  }
  if (seen !== undefined) {
    const { hostname, port } = new URL(origin);
    return fault(
      'proxy',
      `The certificate of ${origin} is refused: ${seen.refusal}. Clients and browsers refuse it too.`,
      `openssl s_client -connect ${hostname}:${port || '443'} -servername ${hostname} </dev/null | openssl x509 -noout -dates -ext subjectAltName`,
    );
  }
  if (trustedProxies.length > 0) {
    return ok(
      'proxy',
      `The headers of ${trustedProxies.join(', ')} are trusted. They were not tried: ${allowHttpSessions ? 'PETSTORE_ALLOW_HTTP_SESSIONS accepts any connection' : `${origin} does not answer here`}.`,
    );
  }
  return fault(
    'proxy',
    `The public address ${baseUrl} is that of a proxy, whose headers are not trusted: all clients share one address limit, and the dashboard refuses each sign-in.`,
    'export PETSTORE_TRUSTED_PROXIES=<address of the proxy>',
  );
}

interface Failure {
  readonly code?: string;
}

/**
 * How the service sees a connection through its proxy, by a sign-in without a key: it is refused before it counts as one.
 * `undefined`: the service does not answer there.
 */
async function seenConnection(
  origin: string,
): Promise<'tls' | 'none' | { readonly refusal: string } | undefined> {
  try {
    const response = await fetch(`${origin}/admin/v1/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
      redirect: 'manual',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    const { code } = (await response.json()) as { readonly code?: unknown };
    if (code === 'insecure_connection') return 'none';
    return code === 'validation_failed' ? 'tls' : undefined;
  } catch (error) {
    const failure = error as Failure & { readonly cause?: Failure };
    // Bun has it in the error itself.
    const refusal = WRONG_CERTIFICATE.get((failure.cause ?? failure).code ?? '');
    return refusal === undefined ? undefined : { refusal };
  }
}

/** Every client refuses such a certificate. Whether an authority is known differs between programs. */
const WRONG_CERTIFICATE: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'it has expired'],
  ['CERT_NOT_YET_VALID', 'it is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'it names another host'],
]);
