import { Link } from 'wouter';
import type { ManagedPet, Order, OrderLine } from '../../../api/schemas.ts';
import { AlertBadge } from '../../../components/badge.tsx';
import { type Column, Table } from '../../../components/records/table.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import drawer from '../order-drawer.module.css';

interface Props {
  readonly order: Order;
  readonly pets: ReadonlyMap<string, ManagedPet>;
}

/** The lines with their progress, and the stock of their pets. */
export function OrderLines({ order: { lines }, pets }: Props) {
  const { orders, shared } = useTexts();
  const { quantity } = useFormat();
  const units = (
    member: 'quantity' | 'reserved' | 'delivered' | 'returned',
    name: string,
  ): Column<OrderLine> => ({
    name,
    isNumber: true,
    cell: (line) => (
      <span data-zero={(line[member] === 0 && member !== 'quantity') || undefined}>
        {quantity(line[member])}
      </span>
    ),
  });
  const columns: readonly Column<OrderLine>[] = [
    {
      name: orders.lines,
      isHeader: true,
      cell: ({ petId }) => {
        const pet = pets.get(petId);
        return (
          <>
            <Link href={`/pets/${petId}`} className={`${drawer.pet} tap`}>
              {pet?.name ?? shared.unnamed(petId)}
            </Link>
            <span className={`${drawer.stock} number`}>
              {pet &&
                orders.stockLine(quantity(pet.quantity), quantity(pet.reserved), quantity(pet.available))}
              {pet?.alertLevel && <AlertBadge level={pet.alertLevel} />}
            </span>
          </>
        );
      },
    },
    units('quantity', orders.ordered),
    units('reserved', orders.reserved),
    units('delivered', orders.delivered),
    ...(lines.some(({ returned }) => returned > 0) ? [units('returned', orders.returned)] : []),
  ];
  return (
    <section>
      <Table className={drawer.lines} columns={columns} records={lines} keyOf={({ petId }) => petId} />
    </section>
  );
}
