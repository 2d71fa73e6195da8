/** A request that a route with parameters was found for; they are cut from the target as it was sent, and decoded. */
export interface RoutedRequest extends Request {
  readonly params: Readonly<Record<string, string>>;
}

type Take<S, R> = (request: Request, server: S) => R;

/** No path of the service has more segments. */
const MAX_SEGMENTS = 8;

/**
 * Routes for `Bun.serve` that match every path of up to eight segments. `request.url` has its dot segments and backslashes
 * resolved; only the parameters of a route show what was sent.
 */
export function routesByDepth<S, R>(
  take: Take<S, R>,
  refuse: Take<S, R>,
): Record<string, (request: RoutedRequest, server: S) => R> {
  const routes: Record<string, (request: RoutedRequest, server: S) => R> = { '/': take };
  let path = '';
  for (let depth = 1; depth <= MAX_SEGMENTS; depth += 1) {
    path += `/:segment${depth}`;
    const route = (request: RoutedRequest, server: S) =>
      (hasAmbiguousSegment(request.params) ? refuse : take)(request, server);
    routes[path] = route;
    routes[`${path}/`] = route;
  }
  return routes;
}

/**
 * Whether a path that no such route was found for became another one: what was sent has an empty segment or too many, and
 * what was made of it has not.
 */
export function isResolved(url: string): boolean {
  const { pathname } = new URL(url, 'http://any');
  const segments = pathname.slice(1).split('/');
  return pathname === '/' || (segments.length <= MAX_SEGMENTS && !segments.includes(''));
}

function hasAmbiguousSegment(params: RoutedRequest['params']): boolean {
  for (const name in params) {
    const segment = params[name] as string;
    if (segment === '.' || segment === '..' || segment.includes('\\')) return true;
  }
  return false;
}
