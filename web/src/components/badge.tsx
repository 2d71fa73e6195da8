import type { AlertLevel, PetStatus } from '../api/schemas.ts';
import { useTexts } from '../texts/texts-context.tsx';
import type { ShownState } from './shown-state.ts';
import styles from './values.module.css';

export type Tone = 'neutral' | 'success' | 'warning' | 'danger' | 'accent';

/** A shape for each meaning, because colour alone is not enough. */
const SHAPES = {
  dot: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  ring: <circle cx="5" cy="5" r="3.25" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  half: (
    <>
      <circle cx="5" cy="5" r="3.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M5 1.75a3.25 3.25 0 0 1 0 6.5z" fill="currentColor" />
    </>
  ),
  square: <rect x="1.5" y="1.5" width="7" height="7" rx="1" fill="currentColor" />,
  triangle: <path d="M5 1 9.4 9H.6z" fill="currentColor" />,
  down: <path d="M5 9 .6 1.5h8.8z" fill="currentColor" />,
  cross: <path d="m2 2 6 6m0-6-6 6" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />,
} as const;
export type Shape = keyof typeof SHAPES;

/** A state as a shape and a word. */
export function Badge({ shape, tone, children }: { shape: Shape; tone: Tone; children: string }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        {SHAPES[shape]}
      </svg>
      {children}
    </span>
  );
}

const STATUSES: Readonly<Record<PetStatus, readonly [Shape, Tone]>> = {
  available: ['dot', 'success'],
  pending: ['half', 'warning'],
  sold: ['square', 'neutral'],
};
const ALERTS: Readonly<Record<AlertLevel, readonly [Shape, Tone]>> = {
  low: ['down', 'warning'],
  out: ['ring', 'danger'],
  oversold: ['cross', 'danger'],
};
const ORDERS: Readonly<Record<ShownState, readonly [Shape, Tone]>> = {
  placed: ['ring', 'accent'],
  expiring: ['triangle', 'danger'],
  approved: ['half', 'accent'],
  partly_delivered: ['half', 'warning'],
  delivered: ['dot', 'success'],
  partly_returned: ['half', 'success'],
  returned: ['ring', 'neutral'],
  cancelled: ['cross', 'neutral'],
  expired: ['square', 'neutral'],
};

export function StatusBadge({ status }: { status: PetStatus }) {
  const [shape, tone] = STATUSES[status];
  return (
    <Badge shape={shape} tone={tone}>
      {useTexts().shared.status[status]}
    </Badge>
  );
}

export function AlertBadge({ level }: { level: AlertLevel }) {
  const [shape, tone] = ALERTS[level];
  return (
    <Badge shape={shape} tone={tone}>
      {useTexts().shared.alert[level]}
    </Badge>
  );
}

/** The state of an order. */
export function OrderBadge({ state }: { state: ShownState }) {
  const [shape, tone] = ORDERS[state];
  return (
    <Badge shape={shape} tone={tone}>
      {useTexts().shared.order[state]}
    </Badge>
  );
}
