import type { ComponentType, ReactNode } from 'react';
import type { IconProps } from '../../icons/icons.tsx';
import { usePageTitle } from '../page/use-page-title.ts';
import styles from './states.module.css';

interface Props {
  readonly icon: ComponentType<IconProps>;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly isWholePage?: boolean;
  /** The title of the state is that of the page, which has no other. */
  readonly isTitle?: boolean;
}

/** Says why there is nothing here, and what to do. Other states are made of it. */
export function EmptyState(props: Props) {
  const { icon: Icon, title, children, actions, isWholePage = false, isTitle = false } = props;
  usePageTitle(isTitle ? title : undefined);
  const Title = isTitle ? 'h1' : 'h2';
  return (
    <div className={styles.state} data-whole-page={isWholePage || undefined}>
      <span className={styles.icon}>
        <Icon size={24} stroke={1.5} aria-hidden />
      </span>
      <Title className={styles.title}>{title}</Title>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
