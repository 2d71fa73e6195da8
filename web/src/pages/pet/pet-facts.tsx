import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { DefaultThresholds } from '../../api/schemas.ts';
import { AlertBadge, Badge } from '../../components/badge.tsx';
import { Quantity } from '../../components/quantity.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useCounts, waitingOf } from '../../counts/use-counts.ts';
import { usePersonId } from '../../session/session-context.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import type { Pet } from './pet-api.ts';
import styles from './pet-facts.module.css';
import { StatusMenu } from './status-menu.tsx';

interface Props {
  readonly pet: Pet;
  readonly name: string;
  readonly defaults: DefaultThresholds | undefined;
  readonly onReload: () => Promise<unknown>;
}

/** The stock of a pet in one row. */
export function PetFacts({ pet, name, defaults, onReload }: Props) {
  const { pet: texts, shared, stock } = useTexts();
  const format = useFormat();
  const waiting = waitingOf(useCounts(), pet.petId, usePersonId());
  const { fields } = shared;
  const { quantity, reserved, available, daysOfStock, alertLevel } = pet;
  return (
    <dl className={styles.facts} aria-label={texts.facts}>
      <Fact label={fields.quantity} value={<Flashing value={waiting?.counted ?? quantity} />}>
        {waiting ? (
          <span className={styles.waiting} data-waiting>
            {stock.waits}
          </span>
        ) : (
          <>
            {texts.lastChange} <RelativeTime at={pet.updatedAt} />
          </>
        )}
      </Fact>
      <Fact label={fields.reserved} value={<Flashing value={reserved} />}>
        <Link href={`/orders?petId=${pet.petId}`} className={styles.link}>
          {texts.openOrders}
        </Link>
      </Fact>
      <Fact label={fields.available} value={<Flashing value={available} />}>
        {alertLevel === null ? (
          <Badge shape="dot" tone="success">
            {shared.alert.none}
          </Badge>
        ) : (
          <AlertBadge level={alertLevel} />
        )}
      </Fact>
      <Fact
        label={texts.daysOfStock}
        value={typeof daysOfStock === 'number' ? format.decimal(daysOfStock) : '–'}
      >
        {daysOfStock === null ? texts.noSales : daysOfStock !== undefined && texts.atSales}
      </Fact>
      <Fact label={fields.status} value={<StatusMenu pet={pet} name={name} onReload={onReload} />} />
      <Thresholds pet={pet} defaults={defaults} />
    </dl>
  );
}

function Fact({ label, value, children }: { label: string; value: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd className={`${styles.value} number`}>{value}</dd>
      {children !== undefined && <dd className={styles.detail}>{children}</dd>}
    </div>
  );
}

/** A number whose background fades after a change. */
function Flashing({ value }: { value: number }) {
  const [first] = useState(value);
  const [hasChanged, setChanged] = useState(false);
  if (!hasChanged && value !== first) setChanged(true);
  return (
    <span key={value} className={hasChanged ? styles.flashing : undefined}>
      <Quantity value={value} />
    </span>
  );
}

function Thresholds({ pet, defaults }: { pet: Pet; defaults: DefaultThresholds | undefined }) {
  const { pet: texts } = useTexts();
  const format = useFormat();
  const { lowStockAt, restockAt, isOwn } = thresholdsOf(pet, defaults);
  const origin = isOwn ? texts.own : texts.shopDefault;
  const details = [restockAt !== null && texts.enoughAt(format.quantity(restockAt)), origin].filter(Boolean);
  return (
    <Fact label={texts.thresholds} value={lowStockAt === null ? '–' : format.quantity(lowStockAt)}>
      {lowStockAt === null ? texts.noThreshold : details.join(', ')}
    </Fact>
  );
}

/** The thresholds that apply to a pet: its own, or those of the shop. */
export function thresholdsOf(pet: Pet, defaults: DefaultThresholds | undefined) {
  const isOwn = pet.lowStockAt !== null;
  const { lowStockAt = null, restockAt = null } = isOwn ? pet : (defaults ?? {});
  return { lowStockAt, restockAt, isOwn };
}
