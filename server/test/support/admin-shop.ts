import type { Role } from '@petstore-inventory/shared/words';
import { type AppOptions, startApp } from './harness.ts';
import { bodyOf, type RequestHeaders } from './stock-requests.ts';

/** Starts the service with a management key, with which `send` sends requests. */
export async function adminShop(t: Parameters<typeof startApp>[0], role: Role, options: AppOptions = {}) {
  const app = await startApp(t, options);
  const made = await app.makeAdminKey(role);
  const send = (method: string, target: string, body?: object | string, headers: RequestHeaders = {}) => {
    const sent = { key: made.key, headers, ...(body !== undefined && { body: bodyOf(body) }) };
    return app.request(method, target, sent);
  };
  return { app, ...made, send };
}
