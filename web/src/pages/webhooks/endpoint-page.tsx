import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { PageSkeleton } from '../../components/states/page-skeleton.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { AttemptDrawer } from './attempt-drawer.tsx';
import { Deliveries } from './deliveries.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointFacts } from './endpoint-facts.tsx';
import { shortUrl } from './endpoint-state.tsx';
import { useEndpoint } from './webhooks-api.ts';

interface Props {
  readonly endpointId: string;
  /** The number of the attempt whose drawer is open. */
  readonly attempt: string | undefined;
}

export function EndpointPage({ endpointId, attempt }: Props) {
  const { app } = useTexts();
  const { data: endpoint, error, refetch } = useEndpoint(endpointId);
  const parent = { href: '/webhooks', label: app.pages.webhooks };
  if (!endpoint && !error) return <PageSkeleton />;
  if (!endpoint)
    return (
      <>
        <PageHeader title={endpointId} parent={parent} />
        <ErrorState error={error} onRetry={() => void refetch()} />
      </>
    );
  return (
    <>
      <PageHeader
        title={shortUrl(endpoint.url)}
        parent={parent}
        facts={endpoint.description}
        actions={<EndpointActions endpoint={endpoint} />}
      />
      <PageBody>
        <EndpointFacts endpoint={endpoint} />
        <Deliveries endpoint={endpoint} />
      </PageBody>
      <AttemptDrawer endpoint={endpoint} attempt={attempt} />
    </>
  );
}
