/** A request that matched a route. Its parameters are the decoded segments of the target as the client sent it. */
export interface RoutedRequest extends Request {
  readonly params: Readonly<Record<string, string>>;
}

type Take<S, R> = (request: Request, server: S) => R;

/** No path of the service has more segments. */
const MAX_SEGMENTS = 8;

/**
 * Routes for `Bun.serve` that match every path of up to eight segments. `request.url` has its dot segments and backslashes
 * resolved; only the parameters of a route show the original segments.
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
 * Whether Bun resolved a path that matched no route into another path: the original has an empty segment or too many, the
 * resolved one has not.
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
