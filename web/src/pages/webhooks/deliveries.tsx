import { Button, SegmentedControl } from '@mantine/core';
import type { WebhookAttempt, WebhookEndpoint } from '../../api/schemas.ts';
import type { FileColumns } from '../../components/downloads/csv.ts';
import { ExportButton } from '../../components/downloads/export-button.tsx';
import { allOf } from '../../components/downloads/read-all.ts';
import { Code } from '../../components/records/identifier.tsx';
import { RecordsState } from '../../components/records/records-state.tsx';
import { RecordsTable } from '../../components/records/records-table.tsx';
import type { Column } from '../../components/records/table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { IconSend } from '../../icons/icons.tsx';
import { useMay } from '../../session/session-context.tsx';
import { useKeptState } from '../../stock/stock-provider.tsx';
import { attemptText } from '../../texts/attempt-text.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { AttemptBadge } from './attempt-details.tsx';
import styles from './endpoint-page.module.css';
import { isEventId } from './events.ts';
import { ResendButton } from './resend-button.tsx';
import { sinceThen, useResend } from './use-resend.ts';
import { useDeliveries } from './webhooks-api.ts';

const NONE: ReadonlySet<number> = new Set();

/** The log of an endpoint, the newest attempt first. */
export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { webhooks } = useTexts();
  const format = useFormat();
  const { id: endpointId } = endpoint;
  const { data: attempts, error, refetch } = useDeliveries(endpointId);
  const [which, setWhich] = useKeptState<'all' | 'failed'>(`deliveries ${endpointId}`, 'all');
  const [chosen, setChosen] = useKeptState(`chosen deliveries ${endpointId}`, NONE);
  const mayResend = useMay('administrator');
  const { sending, send } = useResend(endpoint);
  const log = attempts ?? [];
  const found = log.filter((attempt) => which === 'all' || attempt.error !== null);
  const isUndelivered = (attempt: WebhookAttempt) =>
    ['waiting', 'failed'].includes(sinceThen(attempt, log, endpoint) ?? '');
  const selected = found.filter((attempt) => chosen.has(attempt.number) && isUndelivered(attempt));
  const toggle = (number: number) =>
    setChosen(
      (before) =>
        new Set(before.has(number) ? [...before].filter((each) => each !== number) : [...before, number]),
    );
  const columns: readonly Column<WebhookAttempt>[] = [
    ...useColumns(),
    {
      name: webhooks.since,
      isNumber: true,
      isActions: true,
      cell: (attempt) => (
        <span className={styles.resend}>
          {mayResend && isUndelivered(attempt) && (
            <input
              type="checkbox"
              aria-label={webhooks.selectEvent(attempt.eventId, format.quantity(attempt.number))}
              checked={chosen.has(attempt.number)}
              onChange={() => toggle(attempt.number)}
            />
          )}
          <ResendButton
            attempt={attempt}
            since={sinceThen(attempt, log, endpoint)}
            isSending={sending.has(attempt.eventId)}
            mayResend={mayResend}
            onSend={() => void send([attempt], log)}
          />
        </span>
      ),
    },
  ];
  const sendSelected = async () => {
    await send(selected, log);
    setChosen(NONE);
  };
  return (
    <section aria-labelledby="deliveries" className={styles.section}>
      <div className={styles.head}>
        <h2 id="deliveries" className={styles.title}>
          {webhooks.deliveries}
        </h2>
        <span className={styles.hint}>{webhooks.deliveriesHint}</span>
        <SegmentedControl
          aria-label={webhooks.which}
          value={which}
          onChange={(next) => setWhich(next as 'all' | 'failed')}
          data={(['all', 'failed'] as const).map((value) => ({ value, label: webhooks.show[value] }))}
        />
        {selected.length > 0 && (
          <Button loading={sending.size > 0} onClick={() => void sendSelected()}>
            {webhooks.sendSelected(format.count(new Set(selected.map(({ eventId }) => eventId)).size))}
          </Button>
        )}
        {found.length > 0 && (
          <ExportButton name="deliveries" columns={FILE_COLUMNS} read={allOf(found, false)} />
        )}
      </div>
      <RecordsState
        isLoading={attempts === undefined}
        error={error}
        onRetry={() => void refetch()}
        empty={
          found.length === 0 && (
            <EmptyState
              icon={IconSend}
              title={attempts?.length === 0 ? webhooks.noDeliveries : webhooks.noFailures}
            >
              {attempts?.length === 0 && webhooks.noDeliveriesHint}
            </EmptyState>
          )
        }
      >
        <RecordsTable
          label={webhooks.deliveries}
          columns={columns}
          records={found}
          keyOf={({ number }) => String(number)}
          hrefOf={({ number }) => `/webhooks/${endpointId}/${number}`}
        />
      </RecordsState>
    </section>
  );
}

const FILE_COLUMNS: FileColumns<WebhookAttempt> = {
  number: ({ number }) => number,
  attemptedAt: ({ attemptedAt }) => attemptedAt,
  eventId: ({ eventId }) => eventId,
  eventType: ({ eventType }) => eventType,
  attempt: ({ attempt }) => attempt,
  statusCode: ({ statusCode }) => statusCode,
  errorCode: ({ errorCode }) => errorCode,
  durationMs: ({ durationMs }) => durationMs,
};

function useColumns(): readonly Column<WebhookAttempt>[] {
  const texts = useTexts();
  const { app, webhooks } = texts;
  const format = useFormat();
  return [
    { name: webhooks.time, cell: ({ attemptedAt }) => <RelativeTime at={attemptedAt} /> },
    { name: webhooks.result, cell: (attempt) => <AttemptBadge attempt={attempt} /> },
    { name: webhooks.event, from: 'tablet', cell: ({ eventType }) => <Code>{eventType}</Code> },
    {
      name: webhooks.eventId,
      from: 'tablet',
      cell: ({ eventId }) => (isEventId(eventId) ? <Code>{eventId}</Code> : app.records.empty),
    },
    { name: webhooks.error, from: 'desktop', cell: (attempt) => attemptText(attempt, texts) },
    {
      name: webhooks.attempt,
      from: 'desktop',
      isNumber: true,
      cell: ({ attempt }) => format.quantity(attempt),
    },
    {
      name: webhooks.duration,
      from: 'tablet',
      isNumber: true,
      cell: ({ durationMs }) => webhooks.milliseconds(format.quantity(durationMs)),
    },
  ];
}
