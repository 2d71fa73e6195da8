import { Input, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { GroupedChoice } from '../../../components/grouped-choice.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { READ_SCOPES, SCOPE_GROUPS, SCOPES, type Scope } from './scopes.ts';

interface Props {
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
}

type Choice = 'all' | 'read' | 'choose';
const GROUPS = Object.entries(SCOPE_GROUPS) as [keyof typeof SCOPE_GROUPS, readonly Scope[]][];

/** Chooses the scopes of a key: all, those that read, or single ones. A new key has none until its person chooses. */
export function ScopePicker({ chosen, onChange }: Props) {
  const { scopes, keys } = useTexts().access;
  const format = useFormat();
  const [choice, setChoice] = useState<Choice>();
  const choose = (next: string) => {
    setChoice(next as Choice);
    if (next !== 'choose') onChange(next === 'all' ? SCOPES : READ_SCOPES);
  };
  return (
    <Input.Wrapper label={keys.scopes} labelElement="div">
      <SegmentedControl
        aria-label={keys.scopes}
        fullWidth
        value={choice ?? ''}
        onChange={choose}
        data={[
          { value: 'all', label: scopes.all },
          { value: 'read', label: scopes.read },
          { value: 'choose', label: scopes.choose },
        ]}
      />
      {choice === 'choose' && (
        <GroupedChoice
          groups={GROUPS.map(([group, members]) => ({
            name: scopes.groups[group],
            members: members.map((scope) => ({ value: scope, label: scopes.names[scope] })),
          }))}
          chosen={chosen}
          onChange={(next) => onChange(next as Scope[])}
        />
      )}
      <Text size="xs" c="dimmed" mt={4}>
        {choice === undefined
          ? scopes.none
          : scopes.count(format.quantity(chosen.length), format.quantity(SCOPES.length))}
      </Text>
    </Input.Wrapper>
  );
}
