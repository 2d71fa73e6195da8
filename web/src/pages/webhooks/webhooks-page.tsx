import { useParams } from 'wouter';
import { EndpointPage } from './endpoint-page.tsx';
import { EndpointsPage } from './endpoints-page.tsx';

export default function WebhooksPage() {
  const { endpointId, attempt } = useParams<{ endpointId?: string; attempt?: string }>();
  if (endpointId === undefined) return <EndpointsPage />;
  return <EndpointPage key={endpointId} endpointId={endpointId} attempt={attempt} />;
}
