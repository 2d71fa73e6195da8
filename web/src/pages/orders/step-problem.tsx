import type { ManagedPet } from '../../api/schemas.ts';
import { useErrorText, useFormat, useTexts } from '../../texts/texts-context.tsx';
import drawer from './order-drawer.module.css';
import type { Problem } from './use-step.ts';

interface Props {
  readonly problem: Problem;
  readonly pets: ReadonlyMap<string, Pick<ManagedPet, 'name'>>;
}

/** Says why nothing was changed, and what to do. */
export function StepProblem({ problem, pets }: Props) {
  const { orders, shared } = useTexts();
  const { quantity } = useFormat();
  const errorText = useErrorText();
  return (
    <div role="alert" className={drawer.problem}>
      {problem.kind === 'changed' && orders.conflict.changed(shared.order[problem.status])}
      {problem.kind === 'unsent' && orders.conflict.unsent}
      {problem.kind === 'unsure' && orders.conflict.unsure}
      {problem.kind === 'other' && errorText(problem.error)}
      {problem.kind === 'stock' && (
        <>
          {orders.conflict.stock}
          <ul>
            {problem.lines.map(({ petId, there, wanted }) => (
              <li key={petId}>
                {orders.conflict.stockLine(
                  pets.get(petId)?.name ?? shared.unnamed(petId),
                  quantity(there),
                  quantity(wanted),
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
