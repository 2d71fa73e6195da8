import { useTexts } from '../../../texts/texts-context.tsx';

/** The name of a plan. A plan of a later release shows as it is. */
export function PlanName({ plan }: { plan: string }) {
  const { plans } = useTexts().access.accounts;
  return Object.hasOwn(plans, plan) ? plans[plan as keyof typeof plans] : plan;
}
