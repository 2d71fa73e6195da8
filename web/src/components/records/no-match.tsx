import { Button } from '@mantine/core';
import { IconSearchOff } from '../../icons/icons.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { EmptyState } from '../states/empty-state.tsx';

interface Props {
  readonly words: string;
  readonly onClear: () => void;
}

/** Says that the search excludes all records. */
export function NoMatch({ words, onClear }: Props) {
  const { records } = useTexts().app;
  return (
    <EmptyState
      icon={IconSearchOff}
      title={records.noMatch}
      actions={
        <Button variant="default" onClick={onClear}>
          {records.clearSearch}
        </Button>
      }
    >
      {records.noMatchHint(words)}
    </EmptyState>
  );
}
