import { Button, Popover } from '@mantine/core';
import { useState } from 'react';
import { FilterBar } from '../../components/filters/filter-bar.tsx';
import { useHotkeys } from '../../components/hotkeys/hotkey-provider.tsx';
import { IconFilter } from '../../icons/icons.tsx';
import type { Texts } from '../../texts/en.ts';
import type { Format } from '../../texts/format.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { type ActivityFilter, FILTER_FIELDS, type FilterField } from './activity-filter.ts';
import { FilterForm } from './filter-form.tsx';
import { type Author, useAuthors } from './use-authors.ts';

interface Props {
  readonly filter: ActivityFilter;
  readonly petNames: ReadonlyMap<string, string>;
  readonly onChange: (filter: ActivityFilter) => void;
}

/** The filters as chips, and a form for more of them. */
export function ActivityFilters({ filter, petNames, onChange }: Props) {
  const texts = useTexts();
  const { activity, app } = texts;
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const { authors, search } = useAuthors(isOpen || filter.actor !== undefined, filter.actor);
  useHotkeys(activity.keys.title, [{ keys: 'f', label: activity.keys.filter, run: () => setOpen(true) }]);
  const filters = FILTER_FIELDS.flatMap((field) => {
    const value = filter[field];
    if (value === undefined) return [];
    const shown = shownValue(field, value, { texts, format, authors, petNames });
    const remove = () => onChange({ ...filter, [field]: '' });
    return [{ field: activity.fields[field], value: shown, remove }];
  });
  return (
    <FilterBar filters={filters} onClear={filters.length > 1 ? () => onChange({}) : undefined}>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="bottom-start"
        width={320}
        withinPortal={false}
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <Button
            variant="default"
            leftSection={<IconFilter size={16} stroke={1.75} />}
            onClick={() => setOpen(!isOpen)}
          >
            {app.filters.add}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={app.filters.label}>
          <FilterForm
            filter={filter}
            authors={authors}
            onAuthorSearch={search}
            petName={filter.petId === undefined ? undefined : (petNames.get(filter.petId) ?? filter.petId)}
            onApply={(next) => {
              setOpen(false);
              onChange(next);
            }}
          />
        </Popover.Dropdown>
      </Popover>
    </FilterBar>
  );
}

interface Known {
  readonly texts: Texts;
  readonly format: Format;
  readonly authors: readonly Author[];
  readonly petNames: ReadonlyMap<string, string>;
}

function shownValue(field: FilterField, value: string, { texts, format, authors, petNames }: Known): string {
  const { movements, shared } = texts;
  switch (field) {
    case 'petId':
      return petNames.get(value) ?? value;
    case 'kind':
      return nameIn(movements.kind, value);
    case 'reason':
      return nameIn(shared.reason, value);
    case 'actor':
      return authors.find((author) => author.value === value)?.label ?? value;
    default:
      return format.date(new Date(`${value}T00:00`));
  }
}

function nameIn(names: Readonly<Record<string, string>>, value: string): string {
  return Object.hasOwn(names, value) ? (names[value] ?? value) : value;
}
