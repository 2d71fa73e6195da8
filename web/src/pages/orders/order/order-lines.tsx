import { Link } from 'wouter';
import type { ManagedPet, Order, OrderLine } from '../../../api/schemas.ts';
import { AlertBadge } from '../../../components/badge.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import drawer from '../order-drawer.module.css';

interface Props {
  readonly order: Order;
  readonly pets: ReadonlyMap<string, ManagedPet>;
}

/** The lines with their progress, and the stock of their pets. */
export function OrderLines({ order, pets }: Props) {
  const { orders } = useTexts();
  const isReturned = order.lines.some(({ returned }) => returned > 0);
  return (
    <section>
      <table className={drawer.lines}>
        <thead>
          <tr>
            <th scope="col">{orders.lines}</th>
            <th scope="col">{orders.ordered}</th>
            <th scope="col">{orders.reserved}</th>
            <th scope="col">{orders.delivered}</th>
            {isReturned && <th scope="col">{orders.returned}</th>}
          </tr>
        </thead>
        <tbody>
          {order.lines.map((line) => (
            <Line key={line.petId} line={line} pet={pets.get(line.petId)} isReturned={isReturned} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface LineProps {
  readonly line: OrderLine;
  readonly pet: ManagedPet | undefined;
  readonly isReturned: boolean;
}

function Line({ line, pet, isReturned }: LineProps) {
  const { orders, shared } = useTexts();
  const { quantity } = useFormat();
  return (
    <tr>
      <th scope="row">
        <Link href={`/pets/${line.petId}`} className={`${drawer.pet} tap`}>
          {pet?.name ?? shared.unnamed(line.petId)}
        </Link>
        <span className={`${drawer.stock} number`}>
          {pet && orders.stockLine(quantity(pet.quantity), quantity(pet.reserved), quantity(pet.available))}
          {pet?.alertLevel && <AlertBadge level={pet.alertLevel} />}
        </span>
      </th>
      <td className="number" data-label={orders.ordered}>
        {quantity(line.quantity)}
      </td>
      <td className="number" data-label={orders.reserved} data-zero={line.reserved === 0 || undefined}>
        {quantity(line.reserved)}
      </td>
      <td className="number" data-label={orders.delivered} data-zero={line.delivered === 0 || undefined}>
        {quantity(line.delivered)}
      </td>
      {isReturned && (
        <td className="number" data-label={orders.returned} data-zero={line.returned === 0 || undefined}>
          {quantity(line.returned)}
        </td>
      )}
    </tr>
  );
}
