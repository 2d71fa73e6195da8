import type { ComponentType, ReactNode } from 'react';
import type { IconProps } from '../../icons/icons.tsx';
import styles from './states.module.css';

interface Props {
  readonly icon: ComponentType<IconProps>;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly isWholePage?: boolean;
}

/** Says why there is nothing here, and what to do. Other states are made of it. */
export function EmptyState({ icon: Icon, title, children, actions, isWholePage = false }: Props) {
  return (
    <div className={styles.state} data-whole-page={isWholePage || undefined}>
      <span className={styles.icon}>
        <Icon size={24} stroke={1.5} aria-hidden />
      </span>
      <h2 className={styles.title}>{title}</h2>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
