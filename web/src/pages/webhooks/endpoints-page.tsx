import { useState } from 'react';
import type { WebhookEndpoint } from '../../api/schemas.ts';
import { useAccounts } from '../../components/accounts/use-accounts.ts';
import { useOfferedCommands } from '../../components/commands.ts';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Breakable } from '../../components/records/breakable.tsx';
import { includesWords, RecordsList } from '../../components/records/records-list.tsx';
import type { Column } from '../../components/records/table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { IconWebhook } from '../../icons/icons.tsx';
import { RoleButton } from '../../session/role-button.tsx';
import { useMay } from '../../session/session-context.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { CreateEndpointDialog } from './endpoint-dialogs.tsx';
import { Behind, EndpointBadge, shortUrl, stateOf } from './endpoint-state.tsx';
import styles from './endpoints-page.module.css';
import { useEndpoints, useHead } from './webhooks-api.ts';

/** The webhook endpoints of all accounts. */
export function EndpointsPage() {
  const { app, webhooks } = useTexts();
  const list = useEndpoints();
  const [isCreating, setCreating] = useState(false);
  const mayCreate = useMay('administrator');
  const create = () => setCreating(true);
  useOfferedCommands(mayCreate ? [{ label: webhooks.create, run: create }] : []);
  const { columns, accountOf } = useColumns();
  return (
    <>
      <PageHeader
        title={app.pages.webhooks}
        facts={list.records && <ListFacts endpoints={list.records} isWhole={list.isWhole} />}
        actions={
          <RoleButton needs="administrator" onClick={create}>
            {webhooks.create}
          </RoleButton>
        }
      />
      <PageBody>
        <RecordsList
          list={list}
          label={webhooks.table}
          columns={columns}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/webhooks/${id}`}
          empty={{ icon: IconWebhook, title: webhooks.empty, children: webhooks.emptyHint }}
          search={{
            label: webhooks.search,
            matches: (endpoint, words) =>
              includesWords(words, endpoint.url, endpoint.description, endpoint.id, accountOf(endpoint)),
          }}
        />
      </PageBody>
      {isCreating && <CreateEndpointDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function ListFacts({ endpoints, isWhole }: { endpoints: readonly WebhookEndpoint[]; isWhole: boolean }) {
  const { webhooks } = useTexts();
  const format = useFormat();
  const failing = endpoints.filter((endpoint) => stateOf(endpoint) === 'failing').length;
  const count = webhooks.facts(format.count(endpoints.length, !isWhole));
  return failing === 0 ? count : `${count}, ${webhooks.failing(`${format.count(failing, !isWhole)}`)}`;
}

function useColumns() {
  const { app, webhooks } = useTexts();
  const format = useFormat();
  const head = useHead();
  const { records: accounts = [] } = useAccounts();
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const accountOf = ({ accountId }: WebhookEndpoint) => names.get(accountId) ?? accountId;
  const columns: readonly Column<WebhookEndpoint>[] = [
    {
      name: webhooks.url,
      cell: ({ url, description }) => (
        <>
          <span className={styles.url}>
            <Breakable text={shortUrl(url)} />
          </span>
          {description !== null && <span className={styles.description}>{description}</span>}
        </>
      ),
    },
    { name: webhooks.account, from: 'tablet', cell: accountOf },
    { name: webhooks.state, isShort: true, cell: (endpoint) => <EndpointBadge endpoint={endpoint} /> },
    {
      name: webhooks.events,
      from: 'desktop',
      cell: ({ types }) =>
        types === null ? webhooks.allEvents : webhooks.eventCount(format.count(types.length)),
    },
    {
      name: webhooks.behind,
      from: 'tablet',
      isShort: true,
      cell: (endpoint) => <Behind endpoint={endpoint} head={head} />,
    },
    {
      name: webhooks.nextAttempt,
      from: 'desktop',
      cell: ({ retryAt, pausedAt }) =>
        retryAt === null || pausedAt !== null ? app.records.empty : <RelativeTime at={retryAt} />,
    },
  ];
  return { columns, accountOf };
}
