import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type {
  SystemFacts,
  WebhookAttempt,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointForAccount,
  WebhookEndpointWithSecret,
} from '../../api/schemas.ts';
import { useRecords } from '../../components/records/use-records.ts';
import { readAgain } from '../../live/read-again.ts';

const LIST_MS = 15_000;
const DETAIL_MS = 5_000;
export const PATH = '/webhook-endpoints';
const at = (id: string, action = '') => `${PATH}/${encodeURIComponent(id)}${action}`;

export const useEndpoints = () =>
  useRecords<WebhookEndpoint>(['webhooks', 'endpoints'], PATH, { everyMs: LIST_MS });

export const useEndpoint = (id: string) =>
  useQuery({
    queryKey: ['webhooks', 'endpoint', id],
    queryFn: ({ signal }) => readEndpoint(id, signal),
    refetchInterval: DETAIL_MS,
  });

/** The last 100 attempts, the newest first. */
export const useDeliveries = (id: string) =>
  useQuery({
    queryKey: ['webhooks', 'deliveries', id],
    queryFn: ({ signal }) => api<readonly WebhookAttempt[]>('GET', at(id, '/deliveries'), { signal }),
    refetchInterval: DETAIL_MS,
  });

/** The sequence of the newest movement. */
export function useHead(): number | undefined {
  const { data } = useQuery({
    queryKey: ['webhooks', 'system'],
    queryFn: ({ signal }) => api<SystemFacts>('GET', '/system', { signal }),
    refetchInterval: DETAIL_MS,
  });
  return data?.ledger.head.sequence;
}

export const readEndpoint = (id: string, signal?: AbortSignal) =>
  api<WebhookEndpoint>('GET', at(id), { signal });
export const createEndpoint = (body: WebhookEndpointForAccount) =>
  api<WebhookEndpointWithSecret>('POST', PATH, { body });
export const updateEndpoint = (id: string, body: WebhookEndpointChanges) =>
  api<WebhookEndpoint>('PATCH', at(id), { body });
export const deleteEndpoint = (id: string) => api<void>('DELETE', at(id));
export const pauseEndpoint = (id: string) => api<WebhookEndpoint>('POST', at(id, '/pause'));
export const resumeEndpoint = (id: string) => api<WebhookEndpoint>('POST', at(id, '/resume'));
export const testEndpoint = (id: string) => api<WebhookAttempt>('POST', at(id, '/test'));
export const rotateSecret = (id: string, overlapSeconds: number) =>
  api<WebhookEndpointWithSecret>('POST', at(id, '/rotate'), { body: { overlapSeconds } });
export const replayEvents = (id: string, after: string) =>
  api<WebhookEndpoint>('POST', at(id, '/replay'), { query: { after } });

export const resendEvent = (id: string, event: string) =>
  api<WebhookAttempt>('POST', at(id, '/resend'), { query: { event } });

/** Reads everything about webhooks again, after a change. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => readAgain(queries, ['webhooks']);
}
