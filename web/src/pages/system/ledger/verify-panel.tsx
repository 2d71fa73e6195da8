import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { VerificationReport } from '../../../api/schemas.ts';
import { Badge } from '../../../components/badge.tsx';
import { Quantity } from '../../../components/quantity.tsx';
import { Facts } from '../../../components/records/facts.tsx';
import { Identifier } from '../../../components/records/identifier.tsx';
import { RoleButton } from '../../../session/role-button.tsx';
import { useErrorText, useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from '../panel.module.css';
import { Panel } from '../panel.tsx';
import { verifyLedger } from '../system-api.ts';
import { Running } from './running.tsx';
import { useLongWork } from './use-long-work.ts';

const NOTED = /^\s*(\d{1,16})[\s:,]+([0-9a-f]{64})\s*$/;

/** The service counts the faults of a kind up to here. */
const MANY = 100;

/** Checks the whole database, and shows what is wrong. */
export function VerifyPanel() {
  const { system } = useTexts();
  const errorText = useErrorText();
  const { run, isRunning, seconds, result, error } = useLongWork<VerificationReport>('verify');
  const [noted, setNoted] = useState('');
  const [, sequence, hash = ''] = NOTED.exec(noted) ?? [];
  const isReady = noted.trim() === '' || sequence !== undefined;
  const begin = () =>
    run(() => verifyLedger(sequence === undefined ? [] : [{ sequence: Number(sequence), hash }]));
  return (
    <Panel title={system.verify} hint={system.verifyHint}>
      <div className={styles.actions}>
        <TextInput
          label={system.noted}
          description={system.notedHint}
          error={isReady ? undefined : system.notedRule}
          placeholder="4711 b5bb9d80…"
          value={noted}
          onChange={(event) => setNoted(event.currentTarget.value)}
          w={480}
          maw="100%"
          spellCheck={false}
          autoComplete="off"
        />
        <RoleButton needs="administrator" onClick={begin} loading={isRunning} disabled={!isReady}>
          {system.verifyAction}
        </RoleButton>
      </div>
      {isRunning && <Running label={system.verifying} seconds={seconds} />}
      {error !== undefined && (
        <p role="alert" className={styles.problem}>
          {errorText(error)}
        </p>
      )}
      {result && <Report report={result} />}
    </Panel>
  );
}

function Report({ report }: { report: VerificationReport }) {
  const { system } = useTexts();
  const format = useFormat();
  const { faults, findings, head, pets, movements, hashesChecked, prunes, firstBadSequence } = report;
  return (
    <div role="status">
      <Facts
        facts={[
          [system.result, <Verdict key="verdict" faults={faults.length} />],
          [
            system.firstBad,
            firstBadSequence === null ? undefined : <Quantity key="first" value={firstBadSequence} />,
          ],
          [system.checked, system.checkedCounts(format.quantity(pets), format.quantity(movements))],
          [system.hashes, <Quantity key="hashes" value={hashesChecked} />],
          [system.prunes, <Quantity key="prunes" value={prunes.length} />],
          [
            system.note,
            <Identifier key="head" id={`${head.sequence} ${head.hash}`} label={system.copyHead} />,
          ],
        ]}
      />
      {faults.length > 0 && (
        <>
          <p>{system.faultsHint}</p>
          <ul className={styles.faults}>
            {findings.map(({ code, count }) => (
              <li key={code}>
                {system.faultKinds[code]}:{' '}
                {count > MANY ? `${format.quantity(MANY)}+` : format.quantity(count)}
              </li>
            ))}
          </ul>
          <details>
            <summary>{system.faultSentences}</summary>
            <ul className={styles.faults} lang="en">
              {faults.map((fault) => (
                <li key={fault}>{fault}</li>
              ))}
            </ul>
          </details>
        </>
      )}
    </div>
  );
}

function Verdict({ faults }: { faults: number }) {
  const { system } = useTexts();
  const format = useFormat();
  return (
    <Badge shape={faults === 0 ? 'dot' : 'cross'} tone={faults === 0 ? 'success' : 'danger'}>
      {faults === 0 ? system.intact : system.faults(format.count(faults))}
    </Badge>
  );
}
