import { Select, TextInput } from '@mantine/core';
import { DAY_MS } from '@petstore-inventory/shared/durations';
import { useState } from 'react';
import { serviceNow } from '../../../api/service-clock.ts';
import { calendarDay } from '../../../components/day-start.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

const DAYS = { month: 30, quarter: 90, year: 365 } as const;
type Choice = 'never' | keyof typeof DAYS | 'date';

/** `undefined`: never; `null`: not complete. */
export type Expiry = string | undefined | null;

/** When a key expires. */
export function ExpiryField({ onChange }: { onChange: (expiry: Expiry) => void }) {
  const { expiry } = useTexts().access;
  const [choice, setChoice] = useState<Choice>('never');
  const [date, setDate] = useState('');
  const choose = (next: Choice) => {
    setChoice(next);
    if (next === 'date') onChange(endOf(date));
    else onChange(next === 'never' ? undefined : new Date(serviceNow() + DAYS[next] * DAY_MS).toISOString());
  };
  return (
    <>
      <Select
        label={expiry.label}
        value={choice}
        onChange={(next) => choose(next as Choice)}
        data={[
          { value: 'never', label: expiry.never },
          { value: 'month', label: expiry.days(DAYS.month) },
          { value: 'quarter', label: expiry.days(DAYS.quarter) },
          { value: 'year', label: expiry.year },
          { value: 'date', label: expiry.onDate },
        ]}
      />
      {choice === 'date' && (
        <TextInput
          type="date"
          label={expiry.date}
          value={date}
          min={calendarDay(serviceNow(), 0)}
          onChange={(event) => {
            setDate(event.currentTarget.value);
            onChange(endOf(event.currentTarget.value));
          }}
        />
      )}
    </>
  );
}

/** The last moment of a day in the person's time zone. */
function endOf(date: string): Expiry {
  const moment = new Date(`${date}T23:59:59`);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
