import { SegmentedControl, Select } from '@mantine/core';
import { ALERT_LEVELS, REORDER_FILTERS } from '@petstore-inventory/shared/words';
import { useSearchParams } from 'wouter';
import { useHasFoldedFilters, useIsPhone } from '../../components/density.ts';
import { FilterFields } from '../../components/filters/filter-fields.tsx';
import { useSuppliers } from '../../components/reorder.ts';
import { useCategories } from '../../stock/use-categories.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './reorders.module.css';
import type { ReorderFilters as Filters } from './reorders-api.ts';

/** Stands for no supplier: none has spaces at its ends, and requests leave empty texts out. */
const NONE = ' ';
/** Stands for the line that says how to set a supplier; it cannot be chosen. */
const HINT = '  ';

/** What the address says about the list. */
export function useReorderAddress() {
  const [parameters, setParameters] = useSearchParams();
  const supplier = parameters.get('supplier') ?? undefined;
  const category = parameters.get('category') || undefined;
  const alert = ALERT_LEVELS.find((level) => level === parameters.get('alert'));
  const state = REORDER_FILTERS.find((one) => one === parameters.get('state')) ?? 'all';
  const filters: Filters = {
    ...(state !== 'all' && { state }),
    ...(supplier !== undefined && { supplier: supplier || NONE }),
    ...(category !== undefined && { category }),
    ...(alert !== undefined && { alert }),
  };
  /** `undefined` removes a filter. */
  const choose = (name: string, value: string | undefined) =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === undefined) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const clear = () => setParameters(new URLSearchParams(), { replace: true });
  return { filters, state, supplier, category, alert, choose, clear };
}

type Address = ReturnType<typeof useReorderAddress>;

export function ReorderFilters({ state, supplier, category, alert, choose }: Address) {
  const { app, reorders, shared } = useTexts();
  const suppliers = useSuppliers();
  const categories = useCategories('reorders');
  const isPhone = useIsPhone();
  const isFolded = useHasFoldedFilters();
  const clearOf = (field: string) => ({ 'aria-label': app.filters.remove(field) });
  const states = (
    <SegmentedControl
      aria-label={reorders.state}
      value={state}
      onChange={(next) => choose('state', next === 'all' ? undefined : next)}
      data={REORDER_FILTERS.map((value) => ({ value, label: reorders.states[value] }))}
      fullWidth={isPhone}
    />
  );
  const chips = [
    ['supplier', reorders.supplier, supplier === '' ? reorders.noSupplier : supplier],
    ['category', shared.fields.category, category],
    ['alert', shared.fields.alert, alert && shared.alert[alert]],
  ] as const;
  return (
    <FilterFields
      label={reorders.state}
      first={states}
      filters={chips.flatMap(([name, field, value]) =>
        value === undefined ? [] : [{ field, value, remove: () => choose(name, undefined) }],
      )}
    >
      <Select
        className={styles.choice}
        label={reorders.supplier}
        placeholder={reorders.anySupplier}
        data={[
          { value: NONE, label: reorders.noSupplier },
          // A new shop would see no way to one.
          ...(suppliers.length === 0 ? [{ value: HINT, label: reorders.noSuppliers, disabled: true }] : []),
          ...withChosen(suppliers, supplier || undefined).map((value) => ({ value, label: value })),
        ]}
        value={supplier === undefined ? null : supplier || NONE}
        onChange={(next) => choose('supplier', next === null ? undefined : next.trim())}
        clearButtonProps={clearOf(reorders.supplier)}
        limit={50}
        // The list would cover the fields below it as soon as they are open.
        openOnFocus={!isFolded}
        searchable
        clearable
      />
      <Select
        className={styles.choice}
        label={shared.fields.category}
        placeholder={reorders.anyCategory}
        data={[...withChosen(categories, category)]}
        value={category ?? null}
        onChange={(next) => choose('category', next ?? undefined)}
        clearButtonProps={clearOf(shared.fields.category)}
        limit={50}
        searchable
        clearable
      />
      <Select
        className={styles.level}
        label={shared.fields.alert}
        placeholder={reorders.states.all}
        data={ALERT_LEVELS.map((value) => ({ value, label: shared.alert[value] }))}
        value={alert ?? null}
        onChange={(next) => choose('alert', next ?? undefined)}
        clearButtonProps={clearOf(shared.fields.alert)}
        clearable
      />
    </FilterFields>
  );
}

/** Adds the chosen value, because that of the address may be of pets that are not loaded yet. */
function withChosen(offered: readonly string[], chosen: string | undefined): readonly string[] {
  return chosen === undefined || offered.includes(chosen) ? offered : [chosen, ...offered];
}
