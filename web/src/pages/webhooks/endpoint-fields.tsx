import { Checkbox, Group, Textarea, TextInput } from '@mantine/core';
import { MAX_FILTER_PETS, MAX_WEBHOOK_DESCRIPTION, MAX_WEBHOOK_URL } from '@petstore-inventory/shared/limits';
import { PET_STATUSES } from '@petstore-inventory/shared/words';
import type { PetStatus, WebhookEndpoint, WebhookEndpointChanges } from '../../api/schemas.ts';
import { atMost } from '../../components/at-most.ts';
import type { Form } from '../../components/dialogs/use-form.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { isWholeUrl, isWrongUrl } from './endpoint-url.ts';
import { EventPicker } from './event-picker.tsx';

interface EndpointValues {
  readonly url: string;
  readonly description: string;
  readonly types: readonly string[] | null;
  readonly pets: string;
  readonly statuses: readonly PetStatus[];
}

export const NO_VALUES: EndpointValues = { url: '', description: '', types: null, pets: '', statuses: [] };

export function valuesOf({ url, description, types, petIds, statuses }: WebhookEndpoint): EndpointValues {
  return {
    url,
    description: description ?? '',
    types,
    pets: (petIds ?? []).join(', '),
    statuses: statuses ?? [],
  };
}

/** The members of the request; `undefined` while something is missing or wrong. */
export function bodyOf(values: EndpointValues): Required<WebhookEndpointChanges> | undefined {
  const petIds = readPetIds(values.pets);
  const url = values.url.trim();
  if (!isWholeUrl(url) || values.types?.length === 0 || petIds === undefined) return undefined;
  return {
    url,
    description: values.description.trim() || null,
    types: values.types,
    petIds: petIds.length === 0 ? null : petIds,
    statuses: values.statuses.length === 0 ? null : values.statuses,
  };
}

function readPetIds(text: string): readonly string[] | undefined {
  const ids = [...new Set(text.split(/[\s,;]+/).filter((id) => id !== ''))];
  return ids.length <= MAX_FILTER_PETS && ids.every((id) => /^-?\d{1,19}$/.test(id)) ? ids : undefined;
}

export function EndpointFields({ form: { values, input, choice } }: { form: Form<EndpointValues> }) {
  const { webhooks, shared } = useTexts();
  const format = useFormat();
  return (
    <>
      <TextInput
        label={webhooks.url}
        description={webhooks.urlHint}
        placeholder="https://shop.example/hooks"
        error={isWrongUrl(values.url.trim()) && webhooks.urlWrong}
        {...input('url')}
        inputMode="url"
        {...atMost(MAX_WEBHOOK_URL)}
        spellCheck={false}
        data-autofocus
      />
      <TextInput
        label={webhooks.description}
        description={webhooks.descriptionHint}
        {...input('description')}
        {...atMost(MAX_WEBHOOK_DESCRIPTION)}
      />
      <EventPicker types={values.types} onChange={choice('types').onChange} />
      <Textarea
        label={webhooks.pets}
        description={webhooks.petsHint}
        error={readPetIds(values.pets) === undefined && webhooks.petsWrong(format.quantity(MAX_FILTER_PETS))}
        {...input('pets')}
        autosize
        maxRows={6}
        spellCheck={false}
      />
      <Checkbox.Group
        label={webhooks.statuses}
        description={webhooks.statusesHint}
        value={[...values.statuses]}
        onChange={(statuses) => choice('statuses').onChange(statuses as PetStatus[])}
      >
        <Group gap={16} mt={8}>
          {PET_STATUSES.map((status) => (
            <Checkbox key={status} size="xs" value={status} label={shared.status[status]} />
          ))}
        </Group>
      </Checkbox.Group>
    </>
  );
}
