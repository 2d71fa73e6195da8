import { isRecord } from '@petstore-inventory/shared/is-record';
import {
  Autocomplete,
  Button,
  Checkbox,
  Group,
  Progress,
  ScrollArea,
  SegmentedControl,
  Select,
  TextInput,
} from '@mantine/core';
import { IN_STORE_PREFIXES, type InStorePrefix } from '@petstore-inventory/shared/barcodes';
import { MAX_PET_TEXT, MAX_SKU } from '@petstore-inventory/shared/limits';
import { PET_STATUSES } from '@petstore-inventory/shared/words';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { BulkChange, BulkPet, BulkValues, PetStatus } from '../../../api/schemas.ts';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { useForm } from '../../../components/dialogs/use-form.ts';
import { type Column, Table } from '../../../components/records/table.tsx';
import { DraftNote } from '../../../drafts/draft-note.tsx';
import { readOneOf, readTexts } from '../../../drafts/drafts.ts';
import { useDraft } from '../../../drafts/use-draft.ts';
import { useLiveStatus } from '../../../live/use-live.ts';
import { useErrorText, useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from '../adjust/adjust-dialog.module.css';
import own from './change-many.module.css';
import { actOnChange, type BulkSelection, petsOf, planChange, settledChange } from './bulk-api.ts';

const MAX_HEIGHT_PX = 240;
/** Pets of the preview, of each kind. */
const SHOWN_PETS = 50;
const WHAT = ['category', 'status', 'thresholds', 'codes', 'archived'] as const;
/** Where an SKU has the petId. */
const PLACE = '{petId}';
const CODE_ACTIONS = ['setSkus', 'addBarcodes', 'clearSkus', 'clearBarcodes'] as const;

interface Props {
  /** `undefined`: the service cannot find so many pets. */
  readonly selection: BulkSelection | undefined;
  readonly count: number;
  readonly categories: readonly string[];
  /** Whether archived pets are selected, which can be restored. */
  readonly isArchived: boolean;
  readonly onClose: () => void;
  /** The change ended: all of it, or as much as was done when the person stopped it. */
  readonly onDone: (change: BulkChange) => void;
}

/** Gives any number of pets the same values: a preview of the service, then the change with its progress. */
export function ChangeManyDialog({ selection, count, categories, isArchived, onClose, onDone }: Props) {
  const { stock, shared, app } = useTexts();
  const format = useFormat();
  const errorText = useErrorText();
  const form = useForm<Typed>({
    what: 'category',
    category: '',
    status: 'available',
    low: '',
    restock: '',
    clears: false,
    codes: 'setSkus',
    template: `SKU-${PLACE}`,
    prefix: '20',
  });
  const { what } = form.values;
  const draft = useDraft({ place: 'change-many', values: form.values, read: readTyped, load: form.set });
  const isOffline = useLiveStatus().state === 'offline';
  const values = valuesOf(form.values, isArchived);
  const [change, setChange] = useState<BulkChange>();
  const [pets, setPets] = useState<readonly BulkPet[]>([]);
  const [work, setWork] = useState<'plan' | 'apply'>();
  const [problem, setProblem] = useState<string>();
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);
  const petsText = (number: number) => shared.pets(format.count(number));

  const plan = async () => {
    if (!selection || !values) return;
    const made = await planChange(selection, values);
    setChange(made);
    const planned = await settledChange(made.id, setChange, leaving.current.signal);
    const [refused, shown] = await Promise.all([
      petsOf(made.id, 'refused', SHOWN_PETS),
      petsOf(made.id, 'planned', SHOWN_PETS),
    ]);
    setPets([...refused, ...shown]);
    if (planned.state === 'planned') return;
    setChange(undefined);
    const { failureCode } = planned;
    setProblem(failureCode ? stock.many.failures[failureCode] : stock.many.replaced);
  };
  const apply = async (id: string) => {
    await actOnChange(id, 'apply');
    const done = await settledChange(id, setChange, leaving.current.signal);
    draft.end();
    onDone(done);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (work) return;
    setProblem(undefined);
    setWork(change ? 'apply' : 'plan');
    try {
      await (change ? apply(change.id) : plan());
    } catch (error) {
      if (leaving.current.signal.aborted) return;
      setProblem(errorText(error));
      setChange(undefined);
    }
    setWork(undefined);
  };
  /** A preview that is not applied is not kept; a change stops where it is. */
  const stop = async () => {
    if (change) await actOnChange(change.id, 'cancel').catch(() => undefined);
    if (work !== 'apply') onClose();
  };
  const cancel = () => {
    if (work !== 'apply') draft.end();
    void stop();
  };
  const edit = async () => {
    setChange(undefined);
    setPets([]);
    if (change) await actOnChange(change.id, 'cancel').catch(() => undefined);
  };

  const counts = change?.counts;
  const done = counts ? counts.changed + counts.stale : 0;
  const total = counts ? counts.planned + done : 0;
  const isPlanned = change?.state === 'planned' && work === undefined;
  return (
    <Dialog onClose={() => void stop()} asks={!change} title={stock.many.title(petsText(count))} size={560}>
      <form onSubmit={(event) => void submit(event)} className={styles.form} {...draft.form}>
        <DraftNote draft={draft} />
        {selection === undefined && (
          <p role="alert" className={styles.problem}>
            {stock.many.tooMany}
          </p>
        )}
        <fieldset className={styles.fields} disabled={change !== undefined || work !== undefined}>
          <SegmentedControl
            aria-label={stock.many.what}
            {...form.choice('what')}
            data={WHAT.map((value) => ({
              value,
              label:
                value === 'archived'
                  ? stock.many.archive[isArchived ? 'restore' : 'archive']
                  : stock.many[value],
            }))}
            size="sm"
            classNames={{ root: own.choices, label: own.choice }}
            disabled={change !== undefined}
          />
          <Fields
            what={what}
            form={form}
            categories={categories}
            isArchived={isArchived}
            pets={petsText(count)}
          />
        </fieldset>
        {counts && (
          <div role="status">
            <p className={`${styles.progress} number`}>
              {work === 'plan'
                ? stock.checkedOf(format.quantity(sumOf(counts)), format.quantity(count))
                : work === 'apply'
                  ? stock.appliedOf(format.quantity(done), format.quantity(total))
                  : stock.many.planned(
                      petsText(counts.planned),
                      format.quantity(counts.unchanged),
                      format.quantity(counts.refused),
                    )}
            </p>
            {work && (
              <Progress
                value={
                  work === 'plan' ? (sumOf(counts) / count) * 100 : total === 0 ? 0 : (done / total) * 100
                }
                size={4}
                aria-label={stock.preview}
              />
            )}
          </div>
        )}
        {isPlanned && pets.length > 0 && change && <Preview pets={pets} values={change.set} />}
        {isOffline && (
          <p role="alert" className={styles.problem}>
            {stock.bulkOffline}
          </p>
        )}
        {problem !== undefined && !isOffline && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        <Group justify="flex-end" gap="xs">
          {isPlanned && (
            <Button variant="default" onClick={() => void edit()}>
              {stock.many.edit}
            </Button>
          )}
          <Button variant="default" onClick={cancel}>
            {work === 'apply' ? stock.stop : app.actions.cancel}
          </Button>
          <Button
            type="submit"
            loading={work !== undefined}
            disabled={change ? change.counts.planned === 0 : !values || !selection}
          >
            {change && work !== 'plan' ? stock.apply(petsText(total - done)) : stock.preview}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

interface Typed {
  readonly what: (typeof WHAT)[number];
  readonly category: string;
  readonly status: PetStatus;
  readonly low: string;
  readonly restock: string;
  /** Removes the category or the thresholds, which an empty field does not. */
  readonly clears: boolean;
  readonly codes: (typeof CODE_ACTIONS)[number];
  readonly template: string;
  readonly prefix: InStorePrefix;
}

function readTyped(value: unknown): Typed | undefined {
  const texts = readTexts(value, ['category', 'low', 'restock', 'template']);
  if (!texts || !isRecord(value)) return undefined;
  const [what, status] = [readOneOf(value.what, WHAT), readOneOf(value.status, PET_STATUSES)];
  const [codes, prefix] = [readOneOf(value.codes, CODE_ACTIONS), readOneOf(value.prefix, IN_STORE_PREFIXES)];
  if (!what || !status || !codes || !prefix) return undefined;
  const { category, low, restock, template } = texts;
  return { what, category, status, low, restock, clears: value.clears === true, codes, template, prefix };
}

interface FieldsProps {
  readonly what: Typed['what'];
  readonly form: ReturnType<typeof useForm<Typed>>;
  readonly categories: readonly string[];
  readonly isArchived: boolean;
  /** How many pets change, in words. */
  readonly pets: string;
}

/** The new value of what the person chose. */
function Fields({ what, form, categories, isArchived, pets }: FieldsProps) {
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
          maxLength={MAX_PET_TEXT}
          disabled={clears}
          // Its list would cover what is below.
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

/** What becomes of SKUs or barcodes. */
function CodeFields({ form }: Pick<FieldsProps, 'form'>) {
  const { many } = useTexts().stock;
  const { codes, template, prefix } = form.values;
  return (
    <>
      <Select
        className={own.wide}
        label={many.codes}
        value={codes}
        onChange={(action) => action && form.set({ codes: action as Typed['codes'] })}
        data={CODE_ACTIONS.map((value) => ({ value, label: many.codeActions[value] }))}
        allowDeselect={false}
      />
      {codes === 'setSkus' && (
        <TextInput
          {...form.input('template')}
          className={own.wide}
          label={many.template}
          description={many.templateHint}
          maxLength={MAX_SKU + PLACE.length}
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

/** Whether a text has the place of the petId, and no other braces. */
function isTemplate(text: string): boolean {
  const pieces = text.split(PLACE);
  return pieces.length > 1 && !pieces.some((piece) => /[{}]/.test(piece));
}

/** A number, `null` for an empty field, `undefined` for another text. */
function unitsOf(text: string): number | null | undefined {
  const digits = text.trim();
  if (digits === '') return null;
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
}

function isRestockWrong({ low, restock }: Typed): boolean {
  const [lowStockAt, restockAt] = [unitsOf(low), unitsOf(restock)];
  if (restockAt === null) return false;
  return restockAt === undefined || typeof lowStockAt !== 'number' || restockAt <= lowStockAt;
}

function valuesOf(typed: Typed, isArchived: boolean): BulkValues | undefined {
  const { what, category, status, low, restock, clears } = typed;
  if (what === 'category') {
    if (clears) return { category: null };
    return category.trim() === '' ? undefined : { category: category.trim() };
  }
  if (what === 'status') return { status };
  if (what === 'archived') return { archived: !isArchived };
  if (what === 'codes') return codeValuesOf(typed);
  if (clears) return { lowStockAt: null, restockAt: null };
  const [lowStockAt, restockAt] = [unitsOf(low), unitsOf(restock)];
  if (typeof lowStockAt !== 'number' || restockAt === undefined || isRestockWrong(typed)) return undefined;
  return { lowStockAt, restockAt };
}

function codeValuesOf({ codes, template, prefix }: Typed): BulkValues | undefined {
  if (codes === 'clearSkus') return { sku: null };
  if (codes === 'clearBarcodes') return { barcodes: [] };
  if (codes === 'addBarcodes') return { inStorePrefix: prefix };
  return isTemplate(template) ? { sku: template.trim() } : undefined;
}

function sumOf(counts: BulkChange['counts']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

interface PreviewProps {
  readonly pets: readonly BulkPet[];
  readonly values: BulkValues;
}

/** The first pets: those that stay as they are with the reason, then those that change. */
function Preview({ pets, values }: PreviewProps) {
  const { stock, shared } = useTexts();
  const format = useFormat();
  const limits = (low: number | null | undefined, restock: number | null | undefined) =>
    low === null || low === undefined
      ? '–'
      : restock === null || restock === undefined
        ? format.quantity(low)
        : `${format.quantity(low)} / ${format.quantity(restock)}`;
  const hasCodes = pets.some(({ codes }) => codes !== null);
  const codesText = (facts: Pick<BulkPet, 'codes'>['codes']) =>
    (facts && (values.sku === undefined ? facts.barcodes.join(', ') : facts.sku)) || '–';
  const textOf = (facts: Omit<BulkValues, 'barcodes'>) => {
    if (values.archived !== undefined) return facts.archived ? stock.archived : '–';
    if (values.status) return facts.status ? shared.status[facts.status] : '–';
    if (values.category !== undefined) return facts.category ?? '–';
    return limits(facts.lowStockAt, facts.restockAt);
  };
  const columns: readonly Column<BulkPet>[] = [
    {
      name: shared.fields.name,
      cell: ({ petId, name, reason, codeOwner }) => (
        <>
          {name ?? shared.unnamed(petId)}
          {reason && (
            <span className={styles.why}>
              {codeOwner === null ? stock.many.reasons[reason] : stock.many.codeInUse(codeOwner)}
            </span>
          )}
        </>
      ),
    },
    {
      name: stock.before,
      cell: ({ before }) => before && (hasCodes ? codesText(before) : textOf(before)),
    },
    {
      name: stock.after,
      cell: ({ outcome, codes }) =>
        outcome === 'planned' && <b className={own.after}>{hasCodes ? codesText(codes) : textOf(values)}</b>,
    },
  ];
  return (
    <ScrollArea.Autosize
      mah={MAX_HEIGHT_PX}
      type="auto"
      className={styles.preview}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': stock.preview }}
    >
      <Table
        className={own.table}
        columns={columns}
        records={pets}
        keyOf={({ petId }) => petId}
        stateOf={({ reason }) => ({ 'data-refused': reason === null ? undefined : true })}
      />
    </ScrollArea.Autosize>
  );
}
