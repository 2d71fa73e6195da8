import { useQuery } from '@tanstack/react-query';
import type { ManagedPet, Movement, Order } from '../../../api/schemas.ts';
import { authorName } from '../../../components/movements/movement-facts.ts';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import drawer from '../order-drawer.module.css';
import { readHistory } from '../orders-api.ts';

interface Step {
  readonly key: string;
  readonly at: string;
  readonly what: string;
  readonly who: string;
  readonly note: string | null;
  readonly units: readonly string[];
}

/** The steps of the order, the newest first. */
export function OrderHistory({ order, pets }: { order: Order; pets: ReadonlyMap<string, ManagedPet> }) {
  const texts = useTexts();
  const { orders, shared } = texts;
  const format = useFormat();
  const { data } = useQuery({
    queryKey: ['order-history', order.orderId, order.version],
    queryFn: ({ signal }) => readHistory(order, signal),
    placeholderData: (before) => before,
  });
  if (!data) return null;
  const stepOf = (movements: readonly Movement[]): Step => {
    const [first] = movements as [Movement];
    return {
      key: String(first.sequence),
      at: first.recordedAt,
      what: orders.events[first.kind as keyof typeof orders.events],
      who: authorName(first.actor, texts),
      note: first.note,
      units: movements.map(({ petId, quantityAfter, quantityBefore, reservedAfter, reservedBefore }) =>
        orders.eventUnits(
          format.quantity(
            Math.max(Math.abs(quantityAfter - quantityBefore), Math.abs(reservedAfter - reservedBefore)),
          ),
          pets.get(petId)?.name ?? shared.unnamed(petId),
        ),
      ),
    };
  };
  const steps = [
    ...Map.groupBy(data.movements, ({ recordedAt, kind, requestId }) => `${recordedAt} ${kind} ${requestId}`),
  ].map(([, movements]) => stepOf(movements.toReversed()));
  const { approvedAt, actor } = data.approval;
  if (approvedAt !== null) {
    const approval: Step = {
      key: 'approval',
      at: approvedAt,
      what: orders.events.approved,
      who: actor ? authorName(actor, texts) : '',
      note: null,
      units: [],
    };
    // The approval comes after the placement, also in the same millisecond.
    const next = steps.findIndex(({ at }) => at < approvedAt);
    steps.splice(next < 0 ? Math.max(steps.length - 1, 0) : next, 0, approval);
  }
  return (
    <section>
      <h3 className={drawer.heading}>{orders.history}</h3>
      <ol className={drawer.history}>
        {steps.map(({ key, at, what, who, note, units }) => (
          <li key={key}>
            <span className={drawer.what}>
              {what} <span className={drawer.units}>{units.join(', ')}</span>
            </span>
            <span className={drawer.when}>
              <bdi>{who}</bdi> · <RelativeTime at={at} />
            </span>
            {note !== null && <span className={drawer.note}>{note}</span>}
          </li>
        ))}
      </ol>
      {data.isPart && <p className={drawer.hint}>{orders.historyPart}</p>}
    </section>
  );
}
