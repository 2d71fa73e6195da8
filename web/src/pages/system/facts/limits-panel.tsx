import type { PlanLimits, SystemFacts } from '../../../api/schemas.ts';
import { Quantity } from '../../../components/quantity.tsx';
import { Facts } from '../../../components/records/facts.tsx';
import { RecordsTable } from '../../../components/records/records-table.tsx';
import type { Column } from '../../../components/records/table.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { Panel } from '../panel.tsx';
import { durationText } from '../../../components/duration.ts';

interface NamedPlan extends PlanLimits {
  readonly name: 'free' | 'pro' | 'business';
}

export function LimitsPanel({ limits }: { limits: SystemFacts['limits'] }) {
  const { access, system } = useTexts();
  const format = useFormat();
  const plans: readonly NamedPlan[] = (['free', 'pro', 'business'] as const).map((name) => ({
    name,
    ...limits.plans[name],
  }));
  const columns: readonly Column<NamedPlan>[] = [
    { name: access.accounts.plan, cell: ({ name }) => access.accounts.plans[name] },
    {
      name: access.accounts.perMinute,
      isNumber: true,
      cell: ({ perMinute }) => <Quantity value={perMinute} />,
    },
    { name: access.accounts.perDay, isNumber: true, cell: ({ perDay }) => <Quantity value={perDay} /> },
  ];
  const perMinute = (requests: number) => system.perMinute(format.quantity(requests));
  return (
    <Panel title={system.limits}>
      <Facts
        facts={[
          [system.maxQuantity, <Quantity key="max" value={limits.maxQuantity} />],
          [
            system.orderHold,
            limits.orderHoldSeconds === 0
              ? system.noEnd
              : durationText(limits.orderHoldSeconds, format.locale),
          ],
          [system.maxImport, format.bytes(limits.maxImportBytes)],
          [system.maxStreams, <Quantity key="streams" value={limits.maxStreams} />],
          [system.address, perMinute(limits.addressPerMinute)],
          [system.management, perMinute(limits.managementPerMinute)],
          [system.costly, perMinute(limits.managementCostlyPerMinute)],
        ]}
      />
      <RecordsTable label={system.plans} columns={columns} records={plans} keyOf={({ name }) => name} />
    </Panel>
  );
}
