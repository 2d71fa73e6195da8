import { Link } from 'wouter';
import type { LedgerPoint, SystemFacts } from '../../../api/schemas.ts';
import { Badge } from '../../../components/badge.tsx';
import { Quantity } from '../../../components/quantity.tsx';
import { Facts } from '../../../components/records/facts.tsx';
import { RecordsState } from '../../../components/records/records-state.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { errorText } from '../../../texts/error-text.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from '../panel.module.css';
import { Panel } from '../panel.tsx';
import { useHealth, useSystem } from '../system-api.ts';
import { SystemFrame } from '../system-frame.tsx';
import { durationText } from '../../../components/duration.ts';
import { LimitsPanel } from './limits-panel.tsx';
import { ThresholdsPanel } from './thresholds-panel.tsx';

/** Documents of the service outside of the dashboard. */
const LINKS = ['/docs', '/openapi.json', '/admin/openapi.json', '/metrics', '/healthz', '/readyz'] as const;

/** As of the alert PetstoreBackupOld. */
const OLD_BACKUP_SECONDS = 26 * 3_600;

export function FactsPage() {
  const { system } = useTexts();
  const { data: facts, error, refetch } = useSystem();
  return (
    <SystemFrame facts={facts && system.versionOn(facts.version, facts.runtime)}>
      <RecordsState isLoading={facts === undefined} error={error} onRetry={() => void refetch()}>
        {facts && (
          <div className={styles.grid}>
            <ServicePanel facts={facts} />
            <DatabasePanel facts={facts} />
            <LimitsPanel limits={facts.limits} />
            <div className={styles.column}>
              <ThresholdsPanel />
              <LinksPanel />
            </div>
          </div>
        )}
      </RecordsState>
    </SystemFrame>
  );
}

function ServicePanel({ facts }: { facts: SystemFacts }) {
  const { system, errors } = useTexts();
  const format = useFormat();
  const { data: health } = useHealth();
  return (
    <Panel title={system.service}>
      <Facts
        facts={[
          [system.process, <HealthBadge key="alive" isGood={health?.isAlive} words={system.alive} />],
          [system.readiness, <HealthBadge key="ready" isGood={health?.isReady} words={system.ready} />],
          [system.refusal, health?.refusal && errorText(health.refusal, errors)],
          [system.version, facts.version],
          [system.runtime, facts.runtime],
          [system.environment, system.environments[facts.environment]],
          [system.instances, facts.instances === null ? system.notCounted : format.quantity(facts.instances)],
          [system.uptime, durationText(facts.uptimeSeconds, format.locale)],
          [system.startedAt, format.dateTime(new Date(facts.startedAt))],
        ]}
      />
    </Panel>
  );
}

interface HealthProps {
  /** `undefined` until it is known. */
  readonly isGood: boolean | undefined;
  readonly words: Readonly<Record<'good' | 'bad', string>>;
}

function HealthBadge({ isGood, words }: HealthProps) {
  const { app } = useTexts();
  if (isGood === undefined) return app.records.empty;
  return (
    <Badge shape={isGood ? 'dot' : 'cross'} tone={isGood ? 'success' : 'danger'}>
      {isGood ? words.good : words.bad}
    </Badge>
  );
}

function DatabasePanel({ facts }: { facts: SystemFacts }) {
  const { system } = useTexts();
  const format = useFormat();
  const { engine, databaseBytes, ledger, newestBackup, statusPolicy } = facts;
  return (
    <Panel title={system.database}>
      <Facts
        facts={[
          [system.engine, system.engines[engine]],
          [system.size, format.bytes(databaseBytes)],
          [system.head, <Point key="head" point={ledger.head} />],
          [
            system.start,
            ledger.start.recordedAt ? <Point key="start" point={ledger.start} /> : system.complete,
          ],
          [system.backup, <Backup key="backup" backup={newestBackup} />],
          [system.policy, system.policies[statusPolicy]],
        ]}
      />
    </Panel>
  );
}

/** A movement with its time. */
function Point({ point: { sequence, recordedAt } }: { point: LedgerPoint }) {
  return (
    <>
      <Quantity value={sequence} />
      {recordedAt && <RelativeTime at={recordedAt} />}
    </>
  );
}

function Backup({ backup }: { backup: SystemFacts['newestBackup'] }) {
  const { system } = useTexts();
  const format = useFormat();
  if (backup === null) return system.noBackup;
  return (
    <>
      {backup.ageSeconds > OLD_BACKUP_SECONDS && (
        <Badge shape="triangle" tone="warning">
          {system.oldBackup}
        </Badge>
      )}
      {format.bytes(backup.bytes)}
      <RelativeTime at={backup.madeAt} />
    </>
  );
}

function LinksPanel() {
  const { system } = useTexts();
  return (
    <Panel title={system.links}>
      <ul className={styles.links}>
        {LINKS.map((path) => (
          <li key={path}>
            <a href={path} className="tap" target="_blank" rel="noreferrer">
              {path}
            </a>
            <span>{system.linkHints[path]}</span>
          </li>
        ))}
        <li>
          <Link href="/access/sessions" className="tap">
            {system.sessions}
          </Link>
        </li>
      </ul>
    </Panel>
  );
}
