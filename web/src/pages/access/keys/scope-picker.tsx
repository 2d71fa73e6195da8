import { Checkbox, Input, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from './scope-picker.module.css';
import { READ_SCOPES, SCOPE_GROUPS, SCOPES, type Scope } from './scopes.ts';

interface Props {
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
}

type Choice = 'all' | 'read' | 'choose';
const GROUPS = Object.entries(SCOPE_GROUPS) as [keyof typeof SCOPE_GROUPS, readonly Scope[]][];

/** What a key may do: everything, reading, or a choice of scopes. */
export function ScopePicker({ chosen, onChange }: Props) {
  const { scopes, keys } = useTexts().access;
  const format = useFormat();
  const [choice, setChoice] = useState<Choice>('all');
  const choose = (next: string) => {
    setChoice(next as Choice);
    if (next !== 'choose') onChange(next === 'all' ? SCOPES : READ_SCOPES);
  };
  return (
    <Input.Wrapper label={keys.scopes} labelElement="div">
      <SegmentedControl
        aria-label={keys.scopes}
        fullWidth
        value={choice}
        onChange={choose}
        data={[
          { value: 'all', label: scopes.all },
          { value: 'read', label: scopes.read },
          { value: 'choose', label: scopes.choose },
        ]}
      />
      {choice === 'choose' && (
        <Checkbox.Group value={[...chosen]} onChange={(next) => onChange(next as Scope[])}>
          <div className={styles.groups}>
            {GROUPS.map(([group, members]) => (
              <fieldset key={group} className={styles.group}>
                <legend>{scopes.groups[group]}</legend>
                {members.map((scope) => (
                  <Checkbox
                    key={scope}
                    size="xs"
                    value={scope}
                    label={scopes.names[scope]}
                    description={scope}
                    classNames={{ description: styles.scope }}
                  />
                ))}
              </fieldset>
            ))}
          </div>
        </Checkbox.Group>
      )}
      <Text size="xs" c="dimmed" mt={4}>
        {scopes.count(format.quantity(chosen.length), format.quantity(SCOPES.length))}
      </Text>
    </Input.Wrapper>
  );
}
