import { Input, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { GroupedChoice } from '../../components/grouped-choice.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
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
        <GroupedChoice
          groups={GROUPS.map(([group, members]) => ({
            name: webhooks.eventGroups[group],
            members: members.map((type) => ({ value: type, label: webhooks.eventNames[type] })),
          }))}
          chosen={types}
          onChange={choose}
        />
      )}
    </Input.Wrapper>
  );
}
