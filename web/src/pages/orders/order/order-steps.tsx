import { useState } from 'react';
import type { ManagedPet, OrderPart } from '../../../api/schemas.ts';
import { useHotkeys } from '../../../components/hotkeys/hotkey-provider.tsx';
import { draftKey, drafts } from '../../../drafts/drafts.ts';
import { RoleButton } from '../../../session/role-button.tsx';
import { useMay, usePersonId } from '../../../session/session-context.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import drawer from '../order-drawer.module.css';
import { possibleSteps } from '../order-units.ts';
import type { SeenOrder, Step } from '../orders-api.ts';
import { StepProblem } from '../step-problem.tsx';
import { useStep } from '../use-step.ts';
import { CancelForm, type FormStep, PartForm, stepPlace } from './step-forms.tsx';

const KEYS: Readonly<Record<Step, string>> = { approve: 'a', deliver: 'd', return: 'r', cancel: 'x' };

/** What can be done with the order now. Approving is one click; the others say first what they will move. */
export function OrderSteps({ seen, pets }: { seen: SeenOrder; pets: ReadonlyMap<string, ManagedPet> }) {
  const { orders, app } = useTexts();
  const isStaff = useMay('staff');
  const personId = usePersonId();
  const steps = possibleSteps(seen.order);
  const { orderId } = seen.order;
  const draftOf = (step: FormStep) => draftKey(personId, stepPlace(step, orderId));
  // A step that was typed and not taken, such as before a reload, shows again.
  const [form, setForm] = useState<FormStep | undefined>(
    () =>
      steps.find((step) => step !== 'approve' && isStaff && drafts.find(draftOf(step)) !== undefined) as
        | FormStep
        | undefined,
  );
  const { take, isBusy, problem, showChanged, clearProblem } = useStep(seen, () => {
    if (form) drafts.end(draftOf(form));
    setForm(undefined);
  });
  const begin = (step: Step) => {
    clearProblem();
    if (step === 'approve') void take('approve', {});
    else setForm(step);
  };
  useHotkeys(
    app.pages.orders,
    steps.map((step) => ({
      keys: KEYS[step],
      label: orders.keys[step],
      isGlobal: true,
      run: (event: KeyboardEvent) => (isStaff && !form && !isTyping(event) && !isBusy ? begin(step) : false),
    })),
  );
  const shown = form !== undefined && steps.includes(form) ? form : undefined;
  const submit = (body: OrderPart) => void (shown && take(shown, body));
  return (
    <div className={drawer.steps}>
      {problem && <StepProblem problem={problem} pets={pets} />}
      {shown === 'deliver' || shown === 'return' ? (
        <PartForm
          key={`${shown}-${seen.order.version}`}
          step={shown}
          {...{ seen, pets, isBusy }}
          onSubmit={submit}
          onChanged={showChanged}
          onCancel={() => setForm(undefined)}
        />
      ) : shown === 'cancel' ? (
        <CancelForm
          {...{ seen, isBusy }}
          onSubmit={submit}
          onChanged={showChanged}
          onCancel={() => setForm(undefined)}
        />
      ) : (
        steps.length > 0 && (
          <div className={drawer.buttons}>
            {steps.map((step, index) => (
              <RoleButton
                key={step}
                needs="staff"
                variant={index === 0 && step !== 'return' ? 'filled' : 'default'}
                loading={isBusy && step === 'approve'}
                onClick={() => begin(step)}
              >
                {orders.steps[step]}
              </RoleButton>
            ))}
          </div>
        )
      )}
    </div>
  );
}

/** The keys work in the drawer, which is a dialog, but not in its fields. */
const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('input, textarea, select') !== null;
