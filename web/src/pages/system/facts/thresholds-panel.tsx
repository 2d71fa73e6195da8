import { NumberInput, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DefaultThresholds } from '../../../api/schemas.ts';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { useRecordEdit } from '../../../components/dialogs/use-record-edit.ts';
import { Quantity } from '../../../components/quantity.tsx';
import { Facts } from '../../../components/records/facts.tsx';
import { RecordsState } from '../../../components/records/records-state.tsx';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { getThresholds, THRESHOLDS_KEY, useThresholds } from '../../../components/use-thresholds.ts';
import { RoleButton } from '../../../session/role-button.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { Panel } from '../panel.tsx';
import { setThresholds } from '../system-api.ts';

/** When pets without thresholds of their own are low on stock. */
export function ThresholdsPanel() {
  const { shared, system } = useTexts();
  const { data: thresholds, error, refetch } = useThresholds();
  const [isEditing, setEditing] = useState(false);
  const shown = (value: number | null) => (value === null ? system.never : <Quantity value={value} />);
  return (
    <Panel
      title={system.thresholds}
      hint={system.thresholdsHint}
      actions={
        <RoleButton needs="staff" variant="default" onClick={() => setEditing(true)}>
          {system.edit}
        </RoleButton>
      }
    >
      <RecordsState isLoading={thresholds === undefined} error={error} onRetry={() => void refetch()}>
        {thresholds && (
          <Facts
            facts={[
              [shared.fields.lowStockAt, shown(thresholds.lowStockAt)],
              [
                shared.fields.restockAt,
                thresholds.restockAt === null ? undefined : shown(thresholds.restockAt),
              ],
            ]}
          />
        )}
        {thresholds && isEditing && (
          <ThresholdsDialog present={thresholds} onClose={() => setEditing(false)} />
        )}
      </RecordsState>
    </Panel>
  );
}

function ThresholdsDialog({ present, onClose }: { present: DefaultThresholds; onClose: () => void }) {
  const { app, shared, system } = useTexts();
  const format = useFormat();
  const toast = useToast();
  const queries = useQueryClient();
  const [low, setLow] = useState<number | string>(present.lowStockAt ?? '');
  const [restock, setRestock] = useState<number | string>(present.restockAt ?? '');
  const edit = useRecordEdit(thresholdsOf(present), readThresholds, shared.fields);
  const change = async (changes: Partial<Thresholds>) =>
    setThresholds({ ...(await readThresholds()), ...changes });
  const isOrdered = restock === '' || (low !== '' && Number(restock) > Number(low));
  const save = async () => {
    const { changes, before } = await edit({ lowStockAt: unitsOf(low), restockAt: unitsOf(restock) });
    const { movements } = await change(changes);
    await queries.invalidateQueries({ queryKey: THRESHOLDS_KEY });
    toast.show({
      message: system.thresholdsSet(format.count(movements)),
      undo: async () => {
        await change(before);
        await queries.invalidateQueries({ queryKey: THRESHOLDS_KEY });
      },
    });
  };
  const field = { min: 0, max: Number.MAX_SAFE_INTEGER, allowDecimal: false, hideControls: true };
  return (
    <FormDialog
      title={system.thresholds}
      action={app.actions.save}
      isReady={isOrdered}
      onClose={onClose}
      onSubmit={save}
    >
      <Text c="dimmed">{system.thresholdsHint}</Text>
      <NumberInput
        {...field}
        label={shared.fields.lowStockAt}
        description={system.lowHint}
        value={low}
        onChange={setLow}
        data-autofocus
      />
      <NumberInput
        {...field}
        label={shared.fields.restockAt}
        description={system.restockHint}
        error={isOrdered ? undefined : system.restockRule}
        value={restock}
        onChange={setRestock}
      />
    </FormDialog>
  );
}

type Thresholds = Pick<DefaultThresholds, 'lowStockAt' | 'restockAt'>;
const thresholdsOf = ({ lowStockAt, restockAt }: DefaultThresholds): Thresholds => ({
  lowStockAt,
  restockAt,
});
const readThresholds = async () => thresholdsOf(await getThresholds());

const unitsOf = (typed: number | string): number | null => (typed === '' ? null : Number(typed));
