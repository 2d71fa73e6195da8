import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ComponentProps, type ReactNode, useEffect } from 'react';
import { IconSearch, IconSearchOff } from '../../icons/icons.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import type { FileColumns } from '../downloads/csv.ts';
import { ExportButton } from '../downloads/export-button.tsx';
import { allOf } from '../downloads/read-all.ts';
import { EmptyState } from '../states/empty-state.tsx';
import styles from './records-list.module.css';
import { RecordsState } from './records-state.tsx';
import { RecordsTable } from './records-table.tsx';
import type { SortOrder } from './table.tsx';
import { type Records, SEARCH_DELAY_MS } from './use-records.ts';
import { useSorted } from './use-sorted.ts';
import { useWords } from './use-words.ts';

type TableProps<T> = Omit<ComponentProps<typeof RecordsTable<T>>, 'records' | 'onMore' | 'sorting'>;
interface Props<T> extends TableProps<T> {
  readonly list: Records<T>;
  /** Shown in place of a list without records. */
  readonly empty?: ComponentProps<typeof EmptyState>;
  /** Filters the records as the person types. */
  readonly search?: {
    readonly label: string;
    /** @param words As typed, without spaces around them. */
    readonly matches: (record: T, words: string) => boolean;
    /** Where the service finds records of a list that is too long to be read for it. */
    readonly service?: {
      /** What the service looks for; `undefined` where only `matches` knows. */
      readonly words: (typed: string) => string | undefined;
      readonly useFound: (words: string | undefined) => Records<T>;
    };
  };
  /** Beside the search. */
  readonly filters?: ReactNode;
  /** Shown when `filters` let none of the records through. */
  readonly filtered?: ComponentProps<typeof EmptyState>;
  readonly isShown?: (record: T) => boolean;
  /** The order of a list with sortable columns, until the person sorts it. */
  readonly order?: SortOrder;
  /** The records that are shown as a file: its name and its columns. */
  readonly file?: { readonly name: string; readonly columns: FileColumns<T> };
}

/** A list with its search, or why there is nothing to see. */
export function RecordsList<T>(props: Props<T>) {
  const { list, empty, search, filters, filtered, isShown = () => true, order, file, ...table } = props;
  const { records: texts } = useTexts().app;
  const [words, setWords] = useWords();
  const typed = words.trim();
  const { source, isWaiting, hasFound, error, retry } = useSource(list, search?.service, typed);
  const { records } = source;
  const found = (records ?? []).filter(
    (record) => isShown(record) && (hasFound || (search?.matches(record, typed) ?? true)),
  );
  // A search, a filter that lets nothing through, and an order are about all records, not those that were read first.
  const isAboutAll = (typed !== '' && !hasFound) || found.length === 0 || order !== undefined;
  const isPart = isWaiting || !source.isWhole;
  const needsAll = isAboutAll && isPart && records !== undefined;
  // What was found is not all while the rest cannot be read.
  const lacks = needsAll && (found.length === 0 || error !== null);
  useEffect(() => {
    if (needsAll && !isWaiting) source.readAll();
  });
  const { columns, keyOf } = table;
  const { sorted, sorting, holding } = useSorted(found, { columns, keyOf, initial: order });
  return (
    <RecordsState
      isLoading={list.records === undefined}
      error={error}
      onRetry={retry}
      empty={list.records?.length === 0 && empty && <EmptyState {...empty} />}
    >
      {(search || file) && (
        <div className={styles.filters}>
          {search && <SearchField label={search.label} value={words} onChange={setWords} />}
          {filters}
          {file && <ExportButton {...file} read={allOf(sorted, isPart)} />}
        </div>
      )}
      {lacks && (
        <RecordsState isLoading error={error} onRetry={retry}>
          {null}
        </RecordsState>
      )}
      {lacks && found.length === 0 ? null : found.length > 0 || !search ? (
        <div {...holding} className={styles.rows}>
          <RecordsTable {...table} records={sorted} sorting={sorting} onMore={source.more} />
        </div>
      ) : words === '' && filtered ? (
        <EmptyState {...filtered} />
      ) : (
        <EmptyState
          icon={IconSearchOff}
          title={texts.noMatch}
          actions={
            <Button variant="default" onClick={() => setWords('')}>
              {texts.clearSearch}
            </Button>
          }
        >
          {texts.noMatchHint(words)}
        </EmptyState>
      )}
    </RecordsState>
  );
}

const useNothing = (): undefined => undefined;

/** The records among which a search looks: those that were read, or of a longer list those that the service has found. */
function useSource<T>(list: Records<T>, service: NonNullable<Props<T>['search']>['service'], typed: string) {
  const wanted = typed === '' || list.isWhole ? undefined : service?.words(typed);
  const [asked] = useDebouncedValue(wanted, SEARCH_DELAY_MS);
  // The same hook on each call, because a page gives its list always the same service.
  const useService: (words: string | undefined) => Records<T> | undefined = service?.useFound ?? useNothing;
  const answer = useService(wanted === asked ? wanted : undefined);
  const isSearched = wanted !== undefined && answer !== undefined;
  const hasFound = isSearched && wanted === asked && answer.records !== undefined;
  const { error, retry } = isSearched ? answer : list;
  return { source: hasFound ? answer : list, isWaiting: isSearched && !hasFound, hasFound, error, retry };
}

/** Whether any of the texts has the words. */
export function includesWords(words: string, ...texts: readonly (string | null)[]): boolean {
  return texts.join('\n').toLowerCase().includes(words.toLowerCase());
}

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Filters the records below as the person types. Escape clears it. */
function SearchField({ label, value, onChange }: SearchProps) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onChange('');
      }}
      leftSection={<IconSearch size={16} stroke={1.75} />}
      className={styles.search}
      spellCheck={false}
    />
  );
}
