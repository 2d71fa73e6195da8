import { Input, NumberInput, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Account, type AccountUpdate, LIMITS, type PlanName } from '../../../api/schemas.ts';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { useRecordEdit } from '../../../components/dialogs/use-record-edit.ts';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { createAccount, readAccount, updateAccount, useRefresh } from '../access-api.ts';

const PLANS: readonly PlanName[] = ['free', 'pro', 'business', 'enterprise'];
const HIGHEST_LIMIT = 1_000_000_000;

interface Values {
  readonly name: string;
  readonly plan: PlanName;
  readonly perMinute: number | undefined;
  readonly perDay: number | undefined;
}

export function CreateAccountDialog({ onClose }: { onClose: () => void }) {
  const { accounts } = useTexts().access;
  const toast = useToast();
  const refresh = useRefresh();
  const [, navigate] = useLocation();
  const [values, setValues] = useState<Values>({
    name: '',
    plan: 'pro',
    perMinute: undefined,
    perDay: undefined,
  });
  const submit = async () => {
    const { id, name } = await createAccount(bodyOf(values));
    void refresh();
    navigate(`/access/accounts/${id}`);
    toast.show({ message: accounts.created(name) });
  };
  return (
    <FormDialog
      title={accounts.create}
      action={accounts.createAction}
      isReady={isComplete(values)}
      onClose={onClose}
      onSubmit={submit}
    >
      <AccountFields values={values} onChange={setValues} />
    </FormDialog>
  );
}

export function EditAccountDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { accounts } = useTexts().access;
  const toast = useToast();
  const refresh = useRefresh();
  const [values, setValues] = useState<Values>({ ...account, plan: account.plan as PlanName });
  const edit = useRecordEdit(recordOf(account), async () => recordOf(await readAccount(account.id)), {
    name: accounts.name,
    plan: accounts.plan,
  });
  const submit = async () => {
    const { changes, before } = await edit(recordOf(values));
    if (Object.keys(changes).length === 0) return;
    const { name } = await updateAccount(account.id, updateOf(changes));
    void refresh();
    toast.show({
      message: accounts.saved(name),
      undo: async () => {
        await updateAccount(account.id, updateOf(before));
        await refresh();
      },
    });
  };
  return (
    <FormDialog
      title={accounts.editTitle(account.name)}
      action={accounts.save}
      isReady={isComplete(values)}
      onClose={onClose}
      onSubmit={submit}
    >
      <AccountFields values={values} onChange={setValues} />
      <Text c="dimmed">{accounts.planHint}</Text>
    </FormDialog>
  );
}

function isComplete({ name, plan, perMinute, perDay }: Values): boolean {
  return name.trim() !== '' && (plan !== 'enterprise' || (perMinute !== undefined && perDay !== undefined));
}

/** Only the enterprise plan has limits of its own. */
function bodyOf({ name, plan, perMinute, perDay }: Values) {
  return { name: name.trim(), plan, ...(plan === 'enterprise' && { perMinute, perDay }) };
}

/** An account as it is compared. A plan and its limits are one choice. */
interface AccountRecord {
  readonly name: string;
  readonly plan: readonly (string | number)[];
}

function recordOf(
  values: Pick<Account, 'name' | 'plan'> & Partial<Pick<Values, 'perMinute' | 'perDay'>>,
): AccountRecord {
  const { name, plan, perMinute = 0, perDay = 0 } = values;
  return { name: name.trim(), plan: plan === 'enterprise' ? [plan, perMinute, perDay] : [plan] };
}

function updateOf({ name, plan }: Partial<AccountRecord>): AccountUpdate {
  const [planName, perMinute, perDay] = plan ?? [];
  return {
    ...(name !== undefined && { name }),
    ...(planName !== undefined && { plan: planName as PlanName }),
    ...(perMinute !== undefined && { perMinute: Number(perMinute), perDay: Number(perDay) }),
  };
}

function AccountFields({ values, onChange }: { values: Values; onChange: (values: Values) => void }) {
  const { accounts } = useTexts().access;
  const setLimit = (limit: 'perMinute' | 'perDay') => (value: number | string) =>
    onChange({ ...values, [limit]: typeof value === 'number' ? value : undefined });
  return (
    <>
      <TextInput
        label={accounts.name}
        description={accounts.nameHint}
        value={values.name}
        onChange={(event) => onChange({ ...values, name: event.currentTarget.value })}
        maxLength={LIMITS.accountName}
        autoComplete="off"
        data-autofocus
      />
      <Input.Wrapper label={accounts.plan} labelElement="div">
        <SegmentedControl
          aria-label={accounts.plan}
          fullWidth
          value={values.plan}
          onChange={(plan) => onChange({ ...values, plan: plan as PlanName })}
          data={PLANS.map((plan) => ({ value: plan, label: accounts.plans[plan] }))}
        />
      </Input.Wrapper>
      {values.plan === 'enterprise' &&
        (['perMinute', 'perDay'] as const).map((limit) => (
          <NumberInput
            key={limit}
            label={accounts[limit]}
            value={values[limit] ?? ''}
            onChange={setLimit(limit)}
            min={1}
            max={HIGHEST_LIMIT}
            allowDecimal={false}
            allowNegative={false}
            hideControls
          />
        ))}
    </>
  );
}
