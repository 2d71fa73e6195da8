import { SegmentedControl } from '@mantine/core';
import { hasAtMost } from '@petstore-inventory/shared/characters';
import { MAX_NAME } from '@petstore-inventory/shared/limits';
import { useState } from 'react';
import type { FileColumns } from '../../../components/downloads/csv.ts';
import { includesWords, RecordsList } from '../../../components/records/records-list.tsx';
import type { Column } from '../../../components/records/table.tsx';
import type { Records } from '../../../components/records/use-records.ts';
import { IconKey } from '../../../icons/icons.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { useKeyColumns } from './key-columns.tsx';
import type { AnyKey, KeyKind } from './keys-api.ts';

interface Props<T extends AnyKey> {
  readonly kind: KeyKind;
  readonly list: Records<T>;
  readonly hrefOf: (key: T) => string;
  /** Names the account of a key, where the keys of several accounts are listed. */
  readonly accountOf?: (key: T) => string;
  /** Finds keys where the list may be too long to be read. */
  readonly useFound?: (words: string | undefined) => Records<T>;
}

type Which = 'active' | 'ended' | 'all';

export function KeyList<T extends AnyKey>({ kind, list, hrefOf, accountOf, useFound }: Props<T>) {
  const { keys: texts, tabs } = useTexts().access;
  const [which, setWhich] = useState<Which>('active');
  const columns: readonly Column<T>[] = useKeyColumns<T>(kind, accountOf);
  return (
    <RecordsList
      list={list}
      label={kind === 'client' ? tabs.keys : tabs.managementKeys}
      columns={columns}
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      stateOf={({ state }) => ({ 'data-dim': state !== 'active' || undefined })}
      empty={{ icon: IconKey, title: texts.empty, children: texts.emptyHint }}
      file={{ name: kind === 'client' ? 'keys' : 'management-keys', columns: fileColumns(accountOf) }}
      search={{
        label: texts.search,
        matches: (key, words) => matchesKey(key, words, accountOf?.(key)),
        ...(useFound && { service: { words: serviceWords, useFound } }),
      }}
      isShown={({ state }) => which === 'all' || (state === 'active') === (which === 'active')}
      filtered={{ icon: IconKey, title: which === 'ended' ? texts.emptyEnded : texts.emptyActive }}
      filters={
        <SegmentedControl
          aria-label={texts.which}
          value={which}
          onChange={(next) => setWhich(next as Which)}
          data={(['active', 'ended', 'all'] as const).map((value) => ({ value, label: texts.show[value] }))}
        />
      }
    />
  );
}

/** The hint is all that the service has of a key. */
function fileColumns<T extends AnyKey>(accountOf: Props<T>['accountOf']): FileColumns<T> {
  return {
    id: ({ id }) => id,
    name: ({ name }) => name,
    ...(accountOf && { account: accountOf }),
    hint: ({ hint }) => hint,
    rights: (key) => ('role' in key ? key.role : key.scopes.join(' ')),
    state: ({ state }) => state,
    createdAt: ({ createdAt }) => createdAt,
    expiresAt: ({ expiresAt }) => expiresAt,
    revokedAt: ({ revokedAt }) => revokedAt,
    lastUsedAt: ({ lastUsedAt }) => lastUsedAt,
  };
}

const WHOLE_KEY = /^ps[ak]_(?:live|test)_[0-9A-Za-z]{10,}$/;

const hintOf = (wholeKey: string) => `${wholeKey.slice(0, 9)}…${wholeKey.slice(-4)}`;

/** The words for the service: never a key or a part of its secret, which logs of proxies would keep. */
function serviceWords(typed: string): string | undefined {
  if (WHOLE_KEY.test(typed)) return hintOf(typed);
  const isSafe = !/ps[ak]_(?:live|test)_[0-9A-Za-z]/.test(typed);
  return isSafe && hasAtMost(typed, MAX_NAME) ? typed : undefined;
}

/** Whether a key matches what was typed: words, or a whole key, of which the hint has the beginning and the end. */
function matchesKey({ id, name, hint }: AnyKey, words: string, account = ''): boolean {
  if (WHOLE_KEY.test(words)) return hint === hintOf(words);
  return includesWords(words, name, id, hint, account);
}
