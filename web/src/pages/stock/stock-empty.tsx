import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { IconFileImport, IconPaw, IconSearchOff } from '../../icons/icons.tsx';
import { useMay } from '../../session/session-context.tsx';
import type { StockQuery } from '../../stock/stock-view.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { NO_FILTERS } from './toolbar/stock-toolbar.tsx';

interface Props {
  readonly query: StockQuery;
  readonly isShopEmpty: boolean;
  readonly onChange: (changes: Partial<StockQuery>) => void;
}

/** Says whether the shop or the search is empty, and offers the next step. */
export function StockEmpty({ query, isShopEmpty, onChange }: Props) {
  const { app, stock } = useTexts();
  const mayEdit = useMay('staff');
  if (isShopEmpty) {
    return (
      <EmptyState
        icon={IconPaw}
        title={stock.emptyShop}
        actions={
          mayEdit && (
            <Button component={Link} href="/imports" leftSection={<IconFileImport size={16} stroke={1.75} />}>
              {stock.importFile}
            </Button>
          )
        }
      >
        {stock.emptyShopHint}
      </EmptyState>
    );
  }
  const isSearch = query.words.trim() !== '';
  return (
    <EmptyState
      icon={IconSearchOff}
      title={stock.noMatch}
      actions={
        <Button variant="default" onClick={() => onChange({ ...NO_FILTERS, words: '' })}>
          {app.filters.clear}
        </Button>
      }
    >
      {isSearch ? stock.noMatchSearch(query.words.trim()) : stock.noMatchFilters}
    </EmptyState>
  );
}
