import { Input, NumberInput, SegmentedControl, Text, TextInput } from '@mantine/core';
import { MAX_NAME, MAX_PLAN_REQUESTS } from '@petstore-inventory/shared/limits';
import { PLAN_NAMES } from '@petstore-inventory/shared/words';
import { useLocation } from 'wouter';
import { isApiError } from '../../../api/api-error.ts';
import type { Account, AccountUpdate, PlanName } from '../../../api/schemas.ts';
import { atMost } from '../../../components/at-most.ts';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { type Form, useForm } from '../../../components/dialogs/use-form.ts';
import { RefusedForm } from '../../../components/dialogs/use-submit.ts';
import { useRecordEdit } from '../../../components/dialogs/use-record-edit.ts';
import { useTwinQuestion } from '../../../components/dialogs/use-twin-question.ts';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { useLimits } from '../../../components/use-limits.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { createAccount, readAccount, updateAccount, useRefresh } from '../access-api.ts';

interface Values {
  readonly name: string;
  readonly plan: PlanName;
  /** Empty until it is a number. */
  readonly perMinute: number | string;
  readonly perDay: number | string;
}

/** A conflict of an account is one of its name. */
function useTakenName() {
  const { accounts } = useTexts().access;
  return (name: string) => (error: unknown) => {
    throw isApiError(error, 'conflict') ? new RefusedForm(accounts.nameTaken(name)) : error;
  };
}

export function CreateAccountDialog({ onClose }: { onClose: () => void }) {
  const { accounts } = useTexts().access;
  const toast = useToast();
  const refresh = useRefresh();
  const [, navigate] = useLocation();
  const form = useForm<Values>({ name: '', plan: 'pro', perMinute: '', perDay: '' });
  const askAboutTwins = useTwinQuestion();
  const refuseTaken = useTakenName();
  const submit = async () => {
    const body = bodyOf(form.values);
    await askAboutTwins<Account>({
      path: '/accounts',
      isTwin: ({ name }) => name === body.name,
      madeAt: ({ createdAt }) => createdAt,
      name: body.name,
      isUnique: true,
    });
    const { id, name } = await createAccount(body).catch(refuseTaken(body.name));
    void refresh();
    navigate(`/access/accounts/${id}`);
    toast.show({ message: accounts.created(name) });
  };
  return (
    <FormDialog
      title={accounts.create}
      action={accounts.createAction}
      isReady={isComplete(form.values)}
      onClose={onClose}
      onSubmit={submit}
    >
      <AccountFields form={form} />
    </FormDialog>
  );
}

export function EditAccountDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { accounts } = useTexts().access;
  const toast = useToast();
  const refresh = useRefresh();
  const form = useForm<Values>({ ...account, plan: account.plan as PlanName });
  const edit = useRecordEdit(recordOf(account), async () => recordOf(await readAccount(account.id)), {
    name: accounts.name,
    plan: accounts.plan,
  });
  const refuseTaken = useTakenName();
  const submit = async () => {
    const { changes, before } = await edit(recordOf(form.values));
    if (Object.keys(changes).length === 0) return;
    const { name } = await updateAccount(account.id, updateOf(changes)).catch(
      refuseTaken(form.values.name.trim()),
    );
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
      isReady={isComplete(form.values)}
      onClose={onClose}
      onSubmit={submit}
    >
      <AccountFields form={form} />
      <Text c="dimmed">{accounts.planHint}</Text>
    </FormDialog>
  );
}

function isComplete({ name, plan, perMinute, perDay }: Values): boolean {
  return name.trim() !== '' && (plan !== 'enterprise' || (Number(perMinute) > 0 && Number(perDay) > 0));
}

/** Only the enterprise plan has limits of its own. */
function bodyOf({ name, plan, perMinute, perDay }: Values) {
  return {
    name: name.trim(),
    plan,
    ...(plan === 'enterprise' && { perMinute: Number(perMinute), perDay: Number(perDay) }),
  };
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
  return {
    name: name.trim(),
    plan: plan === 'enterprise' ? [plan, Number(perMinute), Number(perDay)] : [plan],
  };
}

function updateOf({ name, plan }: Partial<AccountRecord>): AccountUpdate {
  const [planName, perMinute, perDay] = plan ?? [];
  return {
    ...(name !== undefined && { name }),
    ...(planName !== undefined && { plan: planName as PlanName }),
    ...(perMinute !== undefined && { perMinute: Number(perMinute), perDay: Number(perDay) }),
  };
}

function AccountFields({ form: { values, set, input, choice } }: { form: Form<Values> }) {
  const { accounts } = useTexts().access;
  const format = useFormat();
  const plans = useLimits()?.plans;
  const fixed = values.plan === 'enterprise' ? undefined : plans?.[values.plan];
  return (
    <>
      <TextInput
        label={accounts.name}
        description={accounts.nameHint}
        {...input('name')}
        {...atMost(MAX_NAME)}
        data-autofocus
      />
      <Input.Wrapper
        label={accounts.plan}
        labelElement="div"
        description={
          fixed && accounts.limitsOf(format.quantity(fixed.perMinute), format.quantity(fixed.perDay))
        }
        inputWrapperOrder={['label', 'input', 'description']}
      >
        <SegmentedControl
          aria-label={accounts.plan}
          fullWidth
          value={values.plan}
          onChange={(plan) => set({ plan: plan as PlanName })}
          data={PLAN_NAMES.map((plan) => ({ value: plan, label: accounts.plans[plan] }))}
        />
      </Input.Wrapper>
      {values.plan === 'enterprise' &&
        (['perMinute', 'perDay'] as const).map((limit) => (
          <NumberInput
            key={limit}
            label={accounts[limit]}
            {...choice(limit)}
            min={1}
            max={MAX_PLAN_REQUESTS}
            allowDecimal={false}
            allowNegative={false}
            hideControls
          />
        ))}
    </>
  );
}
