import type { ReactNode } from 'react';
import { NativeSelect, TextInput } from '@mantine/core';
import { MAX_ACTIVITY_TEXT } from '@petstore-inventory/shared/limits';
import { ACTIVITY_ACTIONS } from '@petstore-inventory/shared/words';
import { atMost } from '../../../components/at-most.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import styles from './log.module.css';
import { type LogFilters, useActors } from './log-api.ts';

const COMMAND_LINE = 'cli';

interface Props {
  readonly filters: LogFilters;
  readonly onChange: (changes: Partial<LogFilters>) => void;
  readonly children: ReactNode;
}

/** Filters that the service applies. */
export function LogFilterRow({ filters, onChange, children }: Props) {
  const { system, log } = useTexts();
  const { data: keys = [] } = useActors();
  const actors = [
    { value: '', label: system.anyone },
    { value: COMMAND_LINE, label: system.commandLine },
    ...keys.map(({ id, name }) => ({ value: id, label: name })),
  ];
  // An actor or an action of a link that the lists do not have.
  if (!actors.some(({ value }) => value === filters.actor))
    actors.push({ value: filters.actor, label: filters.actor });
  const actions = [
    { value: '', label: system.anything },
    ...ACTIVITY_ACTIONS.map((value) => ({ value, label: log.actions[value] })),
  ];
  if (!actions.some(({ value }) => value === filters.action))
    actions.push({ value: filters.action, label: filters.action });
  return (
    <search className={styles.filters}>
      <NativeSelect
        label={system.who}
        value={filters.actor}
        onChange={(event) => onChange({ actor: event.currentTarget.value })}
        data={actors}
      />
      <NativeSelect
        label={system.action}
        value={filters.action}
        onChange={(event) => onChange({ action: event.currentTarget.value })}
        data={actions}
      />
      <TextInput
        label={system.target}
        placeholder={system.targetHint}
        value={filters.target}
        onChange={(event) => onChange({ target: event.currentTarget.value })}
        {...atMost(MAX_ACTIVITY_TEXT)}
        spellCheck={false}
      />
      <div className={styles.days}>
        {(['since', 'until'] as const).map((name) => (
          <TextInput
            key={name}
            type="date"
            label={system[name]}
            value={filters[name]}
            onChange={(event) => onChange({ [name]: event.currentTarget.value })}
          />
        ))}
      </div>
      {children}
    </search>
  );
}
