import { Autocomplete, Checkbox, Select, TextInput } from '@mantine/core';
import { IN_STORE_PREFIXES, type InStorePrefix } from '@petstore-inventory/shared/barcodes';
import { MAX_PET_TEXT, MAX_SKU, MAX_SUPPLIER } from '@petstore-inventory/shared/limits';
import type { PetStatus } from '../../../api/schemas.ts';
import { atMost } from '../../../components/at-most.ts';
import type { useForm } from '../../../components/dialogs/use-form.ts';
import { useSuppliers } from '../../../components/reorder.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import own from './change-many.module.css';
import {
  CODE_ACTIONS,
  isRestockWrong,
  isTemplate,
  PLACE,
  type TypedChange,
  unitsOf,
} from './typed-change.ts';

interface Props {
  readonly what: TypedChange['what'];
  readonly form: ReturnType<typeof useForm<TypedChange>>;
  readonly categories: readonly string[];
  readonly isArchived: boolean;
  /** How many pets change, in words. */
  readonly pets: string;
}

/** The new value of what the person chose. */
export function ChangeFields({ what, form, categories, isArchived, pets }: Props) {
  const { stock, shared } = useTexts();
  const { clears } = form.values;
  const clear = (label: string) => (
    <Checkbox
      className={own.clear}
      checked={clears}
      onChange={(event) => form.set({ clears: event.currentTarget.checked })}
      label={label}
    />
  );
  if (what === 'category') {
    return (
      <>
        <Autocomplete
          {...form.choice('category')}
          label={stock.many.newCategory}
          data={[...categories]}
          {...atMost(MAX_PET_TEXT)}
          disabled={clears}
          // An open list would cover the fields below.
          openOnFocus={false}
          data-autofocus
        />
        {clear(stock.many.removeCategory(pets))}
      </>
    );
  }
  if (what === 'status') {
    return (
      <Select
        label={stock.many.newStatus}
        value={form.values.status}
        onChange={(status) => status && form.set({ status: status as PetStatus })}
        data={Object.entries(shared.status).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
      />
    );
  }
  if (what === 'codes') return <CodeFields form={form} />;
  if (what === 'supplier') {
    return (
      <>
        <SupplierField form={form} />
        {clear(stock.many.removeSupplier(pets))}
      </>
    );
  }
  if (what === 'archived') {
    return <p className={own.hint}>{isArchived ? stock.many.restoreHint : stock.many.archiveHint}</p>;
  }
  return (
    <>
      <TextInput
        {...form.input('low')}
        label={shared.fields.lowStockAt}
        inputMode="numeric"
        disabled={clears}
        error={!clears && unitsOf(form.values.low) === undefined && stock.many.wholeNumber}
      />
      <TextInput
        {...form.input('restock')}
        label={shared.fields.restockAt}
        description={stock.many.emptyRestock}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        inputMode="numeric"
        disabled={clears}
        error={!clears && isRestockWrong(form.values) && stock.many.wrongRestock}
      />
      {clear(stock.many.removeThresholds(pets))}
    </>
  );
}

function SupplierField({ form }: Pick<Props, 'form'>) {
  const { reorders } = useTexts();
  const suppliers = useSuppliers();
  return (
    <Autocomplete
      {...form.choice('supplier')}
      label={reorders.supplier}
      data={[...suppliers]}
      limit={20}
      {...atMost(MAX_SUPPLIER)}
      disabled={form.values.clears}
      openOnFocus={false}
      data-autofocus
    />
  );
}

/** What becomes of SKUs or barcodes. */
function CodeFields({ form }: Pick<Props, 'form'>) {
  const { many } = useTexts().stock;
  const { codes, template, prefix } = form.values;
  return (
    <>
      <Select
        className={own.wide}
        label={many.codes}
        value={codes}
        onChange={(action) => action && form.set({ codes: action as TypedChange['codes'] })}
        data={CODE_ACTIONS.map((value) => ({ value, label: many.codeActions[value] }))}
        allowDeselect={false}
      />
      {codes === 'setSkus' && (
        <TextInput
          {...form.input('template')}
          className={own.wide}
          label={many.template}
          description={many.templateHint}
          {...atMost(MAX_SKU + PLACE.length)}
          error={!isTemplate(template) && many.wrongTemplate}
        />
      )}
      {codes === 'addBarcodes' && (
        <Select
          className={own.wide}
          label={many.prefix}
          description={many.prefixHint}
          value={prefix}
          onChange={(chosen) => chosen && form.set({ prefix: chosen as InStorePrefix })}
          data={[...IN_STORE_PREFIXES]}
          allowDeselect={false}
        />
      )}
    </>
  );
}
