import type { ReportGrouping } from '../../api/schemas.ts';
import type { Column } from '../../components/records/table.tsx';
import { useTexts } from '../../texts/texts-context.tsx';

interface Grouped {
  readonly petId: string | null;
  readonly name: string | null;
  readonly category: string | null;
}

/** The column that says what a row is about. */
export function useGroupColumns<Row extends Grouped>(by: ReportGrouping): readonly Column<Row>[] {
  const { reports, shared } = useTexts();
  if (by === 'total') return [];
  const category: Column<Row> = {
    name: shared.fields.category,
    cell: (row) => <bdi>{row.category ?? shared.noCategory}</bdi>,
  };
  if (by === 'category') return [category];
  const pet: Column<Row> = {
    name: reports.columns.pet,
    cell: ({ petId, name }) => <bdi>{name ?? shared.unnamed(petId ?? '')}</bdi>,
  };
  return [pet, { ...category, from: 'tablet' }];
}
