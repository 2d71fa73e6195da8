import { setTimeout as sleep } from 'node:timers/promises';

const PREVIEWED = 100;
/** Management keys have 1,200 requests per minute. */
const POLL_MS = 60;

/** Uploads, plans, previews and applies a file of at least 100 changed pets; returns the seconds from the upload to the applied import. */
export async function importOverHttp(port: number, key: string, file: string): Promise<number> {
  const startedAtMs = performance.now();
  const send = async (method: string, path: string, body?: string): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/admin/v1/imports${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'text/csv' },
      ...(body !== undefined && { body }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const settled = async (id: string, waiting: string, wanted: string) => {
    for (;;) {
      const { state } = (await send('GET', `/${id}`)) as { state: string };
      if (state === wanted) return;
      if (state !== waiting) throw new Error(`an import is ${state}`);
      await sleep(POLL_MS);
    }
  };
  const { id } = (await send('POST', '', file)) as { id: string };
  await settled(id, 'checking', 'planned');
  const rows = (await send('GET', `/${id}/rows?effect=changed&limit=${PREVIEWED}`)) as unknown[];
  if (rows.length !== PREVIEWED) throw new Error(`the preview has ${rows.length} rows`);
  await send('POST', `/${id}/apply`);
  await settled(id, 'applying', 'applied');
  return (performance.now() - startedAtMs) / 1_000;
}
