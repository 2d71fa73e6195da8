import { Autocomplete, MultiSelect, Radio, Select, Stack, TextInput } from '@mantine/core';
import { MAX_NAME, MAX_PET_TEXT } from '@petstore-inventory/shared/limits';
import { ALERT_LEVELS, PET_STATUSES, STOCKTAKE_POSTINGS } from '@petstore-inventory/shared/words';
import { useLocation } from 'wouter';
import type { AlertLevel, PetStatus, Stocktake, StocktakePosting } from '../../api/schemas.ts';
import { atMost } from '../../components/at-most.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useForm } from '../../components/dialogs/use-form.ts';
import { useTwinQuestion } from '../../components/dialogs/use-twin-question.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useCategories } from '../../stock/use-categories.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './stocktakes.module.css';
import { PATH, startStocktake, useRefresh } from './stocktakes-api.ts';

const NO_VALUES = {
  name: '',
  words: '',
  category: '',
  status: null as string | null,
  alerts: [] as string[],
  posting: 'at_count' as string,
};

/** Starts a stock-take, and opens it. */
export function StartDialog({ onClose }: { onClose: () => void }) {
  const { stocktakes, shared } = useTexts();
  const { scope, posting } = stocktakes;
  const toast = useToast();
  const refresh = useRefresh();
  const [, navigate] = useLocation();
  const categories = useCategories('stocktake');
  const form = useForm(NO_VALUES);
  const { name, words, category, status, alerts } = form.values;
  const askAboutTwins = useTwinQuestion();
  const submit = async () => {
    await askAboutTwins<Stocktake>({
      path: PATH,
      query: { state: 'running' },
      isTwin: (other) => other.name === name.trim(),
      madeAt: ({ startedAt }) => startedAt,
      name: name.trim(),
    });
    const made = await startStocktake({
      name: name.trim(),
      posting: form.values.posting as StocktakePosting,
      scope: {
        ...(words.trim() !== '' && { q: words.trim() }),
        ...(category !== '' && { category }),
        ...(status !== null && { status: status as PetStatus }),
        ...(alerts.length > 0 && { alert: alerts as AlertLevel[] }),
      },
    });
    void refresh();
    toast.show({ message: stocktakes.started(made.name) });
    navigate(`/stocktakes/${made.id}`);
  };
  return (
    <FormDialog
      title={stocktakes.start}
      action={stocktakes.startAction}
      isReady={name.trim() !== ''}
      size={520}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={stocktakes.name}
        description={stocktakes.nameHint}
        {...atMost(MAX_NAME)}
        required
        data-autofocus
        {...form.input('name')}
      />
      <fieldset className={styles.group}>
        <legend>{scope.title}</legend>
        <p className={styles.hint}>{scope.hint}</p>
        <Stack gap="sm">
          <Autocomplete
            label={shared.fields.category}
            placeholder={scope.any}
            data={categories}
            limit={20}
            {...atMost(MAX_PET_TEXT)}
            {...form.choice('category')}
          />
          <TextInput label={scope.wordsLabel} {...atMost(MAX_PET_TEXT)} {...form.input('words')} />
          <Select
            label={shared.fields.status}
            placeholder={scope.any}
            clearable
            data={PET_STATUSES.map((value) => ({ value, label: shared.status[value] }))}
            {...form.choice('status')}
          />
          <MultiSelect
            label={shared.fields.alert}
            placeholder={alerts.length === 0 ? scope.any : ''}
            classNames={{ input: styles.levels }}
            data={ALERT_LEVELS.map((value) => ({ value, label: shared.alert[value] }))}
            {...form.choice('alerts')}
          />
        </Stack>
      </fieldset>
      <Radio.Group label={posting.title} {...form.choice('posting')}>
        <Stack gap="xs" mt="xs">
          {STOCKTAKE_POSTINGS.map((value) => (
            <Radio key={value} value={value} label={posting[value]} description={posting[`${value}Hint`]} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
