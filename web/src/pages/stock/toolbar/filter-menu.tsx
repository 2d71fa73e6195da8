import { Menu } from '@mantine/core';
import { ALERT_LEVELS, PET_STATUSES } from '@petstore-inventory/shared/words';
import type { ReactNode } from 'react';
import { AlertBadge, StatusBadge } from '../../../components/badge.tsx';
import { useSuppliers } from '../../../components/reorder.ts';
import { IconCheck } from '../../../icons/icons.tsx';
import type { StockQuery } from '../../../stock/stock-view.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import styles from './stock-toolbar.module.css';

interface Props {
  readonly query: StockQuery;
  readonly onChange: (changes: Partial<StockQuery>) => void;
  readonly categories: readonly string[];
}

export function FilterMenu({ query, onChange, categories }: Props) {
  const { stock, shared } = useTexts();
  const item = (key: string, isChosen: boolean, content: ReactNode, changes: Partial<StockQuery>) => (
    <Menu.Item
      key={key}
      onClick={() => onChange(changes)}
      rightSection={isChosen && <IconCheck size={16} stroke={2} aria-hidden />}
    >
      {content}
    </Menu.Item>
  );
  return (
    <Menu.Dropdown className={styles.menu}>
      <Menu.Label>{shared.fields.alert}</Menu.Label>
      {item('any', query.alert === 'any', stock.alertAny, { alert: toggled(query.alert, 'any') })}
      {ALERT_LEVELS.map((alert) =>
        item(alert, query.alert === alert, <AlertBadge level={alert} />, {
          alert: toggled(query.alert, alert),
        }),
      )}
      <Menu.Label>{shared.fields.status}</Menu.Label>
      {PET_STATUSES.map((status) =>
        item(status, query.status === status, <StatusBadge status={status} />, {
          status: toggled(query.status, status),
        }),
      )}
      {categories.length > 0 && <Menu.Label>{shared.fields.category}</Menu.Label>}
      {categories.map((category) =>
        item(`category ${category}`, query.category === category, category, {
          category: toggled(query.category, category),
        }),
      )}
      <SupplierItems item={item} chosen={query.supplier} />
      <Menu.Divider />
      {item('archived', query.isArchived, stock.archivedOnly, { isArchived: !query.isArchived })}
    </Menu.Dropdown>
  );
}

interface SupplierProps {
  readonly item: (
    key: string,
    isChosen: boolean,
    content: ReactNode,
    changes: Partial<StockQuery>,
  ) => ReactNode;
  readonly chosen: string | undefined;
}

/** Read when the menu opens; a shop without suppliers has no such filter. */
function SupplierItems({ item, chosen }: SupplierProps) {
  const { shared, reorders } = useTexts();
  const suppliers = useSuppliers();
  if (suppliers.length === 0) return null;
  return (
    <>
      <Menu.Label>{shared.fields.supplier}</Menu.Label>
      {item('no supplier', chosen === '', reorders.noSupplier, { supplier: toggled(chosen, '') })}
      {suppliers.map((supplier) =>
        item(`supplier ${supplier}`, chosen === supplier, supplier, {
          supplier: toggled(chosen, supplier),
        }),
      )}
    </>
  );
}

function toggled<T>(current: T | undefined, chosen: T): T | undefined {
  return current === chosen ? undefined : chosen;
}
