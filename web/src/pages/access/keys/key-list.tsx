import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { NoMatch } from '../../../components/records/no-match.tsx';
import { RecordsState } from '../../../components/records/records-state.tsx';
import { RecordsTable } from '../../../components/records/records-table.tsx';
import { SearchField } from '../../../components/records/search-field.tsx';
import type { Column } from '../../../components/records/table.tsx';
import type { useRecords } from '../../../components/records/use-records.ts';
import { useWords } from '../../../components/records/use-words.ts';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { IconKey } from '../../../icons/icons.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { useKeyColumns } from './key-columns.tsx';
import styles from './key-list.module.css';
import type { AnyKey, KeyKind } from './keys-api.ts';

interface Props<T extends AnyKey> {
  readonly kind: KeyKind;
  readonly list: ReturnType<typeof useRecords<T>>;
  readonly hrefOf: (key: T) => string;
  /** Names the account of a key, where the keys of several accounts are listed. */
  readonly accountOf?: (key: T) => string;
}

type Which = 'active' | 'ended' | 'all';

export function KeyList<T extends AnyKey>({ kind, list, hrefOf, accountOf }: Props<T>) {
  const { keys: texts, tabs } = useTexts().access;
  const { records, error, retry, more } = list;
  const [which, setWhich] = useState<Which>('active');
  const [words, setWords] = useWords();
  const columns: readonly Column<T>[] = useKeyColumns<T>(kind, accountOf);
  const ofState = (records ?? []).filter(
    ({ state }) => which === 'all' || (state === 'active') === (which === 'active'),
  );
  const found = ofState.filter((key) => matchesKey(key, words, accountOf?.(key)));
  return (
    <RecordsState
      isLoading={records === undefined}
      error={error}
      onRetry={retry}
      empty={
        records?.length === 0 && (
          <EmptyState icon={IconKey} title={texts.empty}>
            {texts.emptyHint}
          </EmptyState>
        )
      }
    >
      <div className={styles.filters}>
        <SearchField label={texts.search} value={words} onChange={setWords} />
        <SegmentedControl
          aria-label={texts.which}
          value={which}
          onChange={(next) => setWhich(next as Which)}
          data={(['active', 'ended', 'all'] as const).map((value) => ({ value, label: texts.show[value] }))}
        />
      </div>
      {found.length > 0 ? (
        <RecordsTable
          label={kind === 'client' ? tabs.keys : tabs.managementKeys}
          columns={columns}
          records={found}
          keyOf={({ id }) => id}
          hrefOf={hrefOf}
          stateOf={({ state }) => ({ 'data-dim': state !== 'active' || undefined })}
          onMore={more}
        />
      ) : words === '' ? (
        <EmptyState icon={IconKey} title={which === 'ended' ? texts.emptyEnded : texts.emptyActive} />
      ) : (
        <NoMatch words={words} onClear={() => setWords('')} />
      )}
    </RecordsState>
  );
}

const WHOLE_KEY = /^ps[ak]_(?:live|test)_[0-9A-Za-z]{10,}$/;

/** Whether a key matches what was typed: words, or a whole key, of which the hint has the beginning and the end. */
function matchesKey({ id, name, hint }: AnyKey, typed: string, account = ''): boolean {
  const words = typed.trim();
  if (WHOLE_KEY.test(words)) return hint === `${words.slice(0, 9)}…${words.slice(-4)}`;
  return `${name}\n${id}\n${hint}\n${account}`.toLowerCase().includes(words.toLowerCase());
}
