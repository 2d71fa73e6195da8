import { MAX_COUNTED } from '@petstore-inventory/shared/limits';
import { Link } from 'wouter';
import type { Overview } from '../../api/schemas.ts';
import { Badge, type Shape, type Tone } from '../../components/badge.tsx';
import { IconChevronRight, IconCircleCheck } from '../../icons/icons.tsx';
import type { Count } from '../../texts/format.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './overview.module.css';
import { useBans } from './overview-api.ts';

interface Matter {
  readonly href: string;
  readonly shape: Shape;
  readonly tone: Tone;
  readonly count: number;
  /** Whether there may be more than `count`. By default where that is `MAX_COUNTED`. */
  readonly isLeast?: boolean;
  readonly what: (count: Count) => string;
  readonly state: string;
}

/** Matters that need a person, the most urgent first. */
export function Attention({ overview }: { overview: Overview }) {
  const { overview: texts } = useTexts();
  const format = useFormat();
  const matters = useMatters(overview);
  const present = matters.filter(({ count }) => count > 0);
  return (
    <section aria-labelledby="attention">
      <h2 id="attention" className={styles.heading}>
        {texts.attention}
      </h2>
      {present.length === 0 ? (
        <div className={styles.calm}>
          <IconCircleCheck size={20} stroke={1.75} aria-hidden />
          <span>
            <strong>{texts.calm}</strong>
            <br />
            {texts.calmHint}
          </span>
        </div>
      ) : (
        <ul className={styles.matters}>
          {present.map(({ href, shape, tone, count, isLeast = count === MAX_COUNTED, what, state }) => (
            <li key={state}>
              <Link href={href} className={styles.matter}>
                <Badge shape={shape} tone={tone}>
                  {what(format.count(count, isLeast))}
                </Badge>
                <span className={styles.state}>{state}</span>
                <IconChevronRight size={16} stroke={1.75} className={styles.chevron} aria-hidden />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** All matters, also those of which there are none. */
function useMatters({ pets, orders, webhooks }: Overview): readonly Matter[] {
  const { overview: texts } = useTexts();
  const format = useFormat();
  const bans = useBans();
  return [
    {
      href: '/stock?alert=oversold',
      shape: 'cross',
      tone: 'danger',
      count: pets.oversold,
      what: texts.pets,
      state: texts.oversold,
    },
    {
      href: '/orders?state=expiring',
      shape: 'triangle',
      tone: 'danger',
      count: orders.expiring,
      what: texts.orders,
      state: texts.expiring(format.count(orders.expiring)),
    },
    {
      href: '/webhooks',
      shape: 'triangle',
      tone: 'danger',
      count: webhooks.failing,
      what: texts.endpoints,
      state: texts.failing,
    },
    {
      href: '/reorders?alert=out',
      shape: 'ring',
      tone: 'danger',
      count: pets.out,
      what: texts.pets,
      state: texts.out,
    },
    {
      href: '/reorders?alert=low',
      shape: 'down',
      tone: 'warning',
      count: pets.low,
      what: texts.pets,
      state: texts.low,
    },
    {
      href: '/orders?status=placed',
      shape: 'ring',
      tone: 'accent',
      count: orders.placed,
      what: texts.orders,
      state: texts.placed,
    },
    {
      href: '/orders?status=approved',
      shape: 'half',
      tone: 'accent',
      count: orders.approved,
      what: texts.orders,
      state: texts.approved,
    },
    {
      href: '/webhooks',
      shape: 'square',
      tone: 'neutral',
      count: webhooks.paused,
      what: texts.endpoints,
      state: texts.paused,
    },
    {
      href: '/access/bans',
      shape: 'cross',
      tone: 'neutral',
      ...bans,
      what: texts.keys,
      state: texts.banned,
    },
  ];
}
