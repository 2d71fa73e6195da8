import { Checkbox, Input, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './event-picker.module.css';
import { EVENT_GROUPS, type EventType } from './events.ts';

interface Props {
  /** `null`: all events. */
  readonly types: readonly string[] | null;
  readonly onChange: (types: readonly string[] | null) => void;
}

const GROUPS = Object.entries(EVENT_GROUPS) as [keyof typeof EVENT_GROUPS, readonly EventType[]][];

/** All events, or a choice of them. */
export function EventPicker({ types, onChange }: Props) {
  const { webhooks } = useTexts();
  const [chosen, setChosen] = useState(types ?? []);
  const choose = (next: readonly string[]) => {
    setChosen(next);
    onChange(next);
  };
  return (
    <Input.Wrapper
      label={webhooks.events}
      labelElement="div"
      description={types === null ? webhooks.allEventsHint : undefined}
      inputWrapperOrder={['label', 'input', 'description']}
    >
      <SegmentedControl
        aria-label={webhooks.events}
        fullWidth
        value={types === null ? 'all' : 'choose'}
        onChange={(next) => onChange(next === 'all' ? null : chosen)}
        data={[
          { value: 'all', label: webhooks.allEvents },
          { value: 'choose', label: webhooks.chooseEvents },
        ]}
      />
      {types !== null && (
        <Checkbox.Group value={[...types]} onChange={choose}>
          <div className={styles.groups}>
            {GROUPS.map(([group, members]) => (
              <fieldset key={group} className={styles.group}>
                <legend>{webhooks.eventGroups[group]}</legend>
                {members.map((type) => (
                  <Checkbox
                    key={type}
                    size="xs"
                    value={type}
                    label={webhooks.eventNames[type]}
                    description={type}
                    classNames={{ description: styles.type }}
                  />
                ))}
              </fieldset>
            ))}
          </div>
        </Checkbox.Group>
      )}
    </Input.Wrapper>
  );
}
