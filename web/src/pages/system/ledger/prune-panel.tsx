import { Button, NumberInput, Text } from '@mantine/core';
import { MAX_KEEP_DAYS } from '@petstore-inventory/shared/limits';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isApiError } from '../../../api/api-error.ts';
import type { PrunedLedger } from '../../../api/schemas.ts';
import { ConfirmByName } from '../../../components/confirm-by-name.tsx';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { RoleButton } from '../../../session/role-button.tsx';
import { useMay } from '../../../session/session-context.tsx';
import { useErrorText, useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from '../panel.module.css';
import { Panel } from '../panel.tsx';
import { pruneLedger } from '../system-api.ts';
import { Running } from './running.tsx';
import { useLongWork } from './use-long-work.ts';

const DEFAULT_DAYS = 730;

interface Preview {
  readonly keepDays: number;
  /** Whether the person confirmed that the clock is right. */
  readonly acceptClock: boolean;
  readonly pruned: PrunedLedger;
}

/** Deletes old movements, after a look at how many there are. */
export function PrunePanel() {
  const { system } = useTexts();
  const format = useFormat();
  const errorText = useErrorText();
  const [keepDays, setKeepDays] = useState<number | string>(DEFAULT_DAYS);
  const { run, isRunning, seconds, result: preview, error } = useLongWork<Preview>('prune');
  const [isConfirming, setConfirming] = useState(false);
  const mayPrune = useMay('administrator');
  const days = Number(keepDays);
  const isReady = Number.isInteger(days) && days >= 1 && days <= MAX_KEEP_DAYS;
  const look = (acceptClock: boolean) =>
    run(async () => ({
      keepDays: days,
      acceptClock,
      pruned: await pruneLedger({ keepDays: days, dryRun: true, ...(acceptClock && { acceptClock }) }),
    }));
  const isCurrent = preview?.keepDays === days;
  return (
    <Panel title={system.prune} hint={system.pruneHint}>
      <div className={styles.actions}>
        <NumberInput
          label={system.keepDays}
          value={keepDays}
          onChange={setKeepDays}
          min={1}
          max={MAX_KEEP_DAYS}
          allowDecimal={false}
          hideControls
          w={240}
        />
        <RoleButton
          needs="administrator"
          variant="default"
          onClick={() => look(false)}
          loading={isRunning}
          disabled={!isReady}
        >
          {system.look}
        </RoleButton>
      </div>
      {isRunning && <Running label={system.counting} seconds={seconds} />}
      {error !== undefined && (
        <div role="alert" className={styles.problem}>
          {errorText(error)}{' '}
          {isApiError(error, 'conflict') && (
            <Button variant="default" onClick={() => look(true)}>
              {system.clockIsRight}
            </Button>
          )}
        </div>
      )}
      {preview && isCurrent && (
        <div role="status" className={styles.actions}>
          <Text>
            {preview.pruned.movements === 0
              ? system.nothingToPrune
              : system.wouldPrune(format.count(preview.pruned.movements))}
          </Text>
          <LostEvents of={preview.pruned} />
          {mayPrune && preview.pruned.movements > 0 && (
            <Button color="red.8" onClick={() => setConfirming(true)}>
              {system.pruneAction}
            </Button>
          )}
        </div>
      )}
      {preview && isConfirming && <PruneDialog preview={preview} onClose={() => setConfirming(false)} />}
    </Panel>
  );
}

function LostEvents({ of: { endpointsBehind = 0 } }: { of: PrunedLedger }) {
  const { system } = useTexts();
  const format = useFormat();
  if (endpointsBehind === 0) return null;
  return <Text>{system.wouldLoseEvents(format.count(endpointsBehind))}</Text>;
}

function PruneDialog({ preview, onClose }: { preview: Preview; onClose: () => void }) {
  const { system } = useTexts();
  const format = useFormat();
  const toast = useToast();
  const queries = useQueryClient();
  const { keepDays, acceptClock, pruned } = preview;
  const prune = async () => {
    const { movements } = await pruneLedger({ keepDays, ...(acceptClock && { acceptClock }) });
    queries.removeQueries({ queryKey: ['system', 'work', 'prune'] });
    await queries.invalidateQueries({ queryKey: ['system', 'facts'] });
    toast.show({ message: system.pruned(format.count(movements)) });
  };
  return (
    <ConfirmByName
      title={system.prune}
      name={system.pruneWord}
      action={system.pruneAction}
      onClose={onClose}
      onConfirm={prune}
    >
      <Text>{system.wouldPrune(format.count(pruned.movements))}</Text>
      <LostEvents of={pruned} />
      <Text>{system.backupFirst}</Text>
    </ConfirmByName>
  );
}
