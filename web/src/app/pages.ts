import type { ComponentType, FunctionComponent } from 'react';
import type { Role } from '../api/schemas.ts';
import {
  IconActivity,
  IconBuildingWarehouse,
  IconChartLine,
  IconClipboardCheck,
  IconClipboardList,
  IconFileImport,
  IconHome,
  IconKey,
  type IconProps,
  IconServer,
  IconShoppingBag,
  IconTruckDelivery,
  IconWebhook,
} from '../icons/icons.tsx';
import { LateCode } from '../loading/late-code.ts';
import { lateComponent } from '../loading/late-component.ts';
import type { Texts } from '../texts/en.ts';

type PageName = keyof Texts['app']['pages'];
type PageModule = { readonly default: ComponentType };

export interface Page {
  /** Names the page, its folder below `pages/`, and its texts. */
  readonly name: PageName;
  /** As wouter writes paths; a page with details in a drawer has a pattern for both. */
  readonly path: string;
  readonly component: FunctionComponent;
  readonly code: LateCode<PageModule>;
  /** Set for pages in the navigation. */
  readonly entry?: {
    readonly href: string;
    readonly icon: ComponentType<IconProps>;
    readonly group: 'shop' | 'manage';
    /** Two keys after each other. */
    readonly keys: string;
    /** Whether it is in the bar of a phone. */
    readonly isInBar?: boolean;
  };
  /** The role that the page needs; `viewer` by default. */
  readonly role?: Role;
}

function page(fields: Omit<Page, 'component' | 'code'>, load: () => Promise<PageModule>): Page {
  const code = new LateCode(load);
  return { ...fields, component: lateComponent(code), code };
}

/** All pages behind the sign-in, in the order of the navigation. */
export const PAGES: readonly Page[] = [
  page(
    {
      name: 'overview',
      path: '/',
      entry: { href: '/', icon: IconHome, group: 'shop', keys: 'g h', isInBar: true },
    },
    () => import('../pages/overview/overview-page.tsx'),
  ),
  page(
    {
      name: 'stock',
      path: '/stock',
      entry: { href: '/stock', icon: IconBuildingWarehouse, group: 'shop', keys: 'g s', isInBar: true },
    },
    () => import('../pages/stock/stock-page.tsx'),
  ),
  page({ name: 'labels', path: '/labels' }, () => import('../pages/labels/labels-page.tsx')),
  page({ name: 'pet', path: '/pets/:petId' }, () => import('../pages/pet/pet-page.tsx')),
  page(
    {
      name: 'count',
      path: '/count',
      entry: { href: '/count', icon: IconClipboardCheck, group: 'shop', keys: 'g c', isInBar: true },
    },
    () => import('../pages/count/count-page.tsx'),
  ),
  page(
    {
      name: 'stocktakes',
      path: '/stocktakes/:stocktakeId?/:part?',
      entry: { href: '/stocktakes', icon: IconClipboardList, group: 'shop', keys: 'g t' },
    },
    () => import('../pages/stocktakes/stocktakes-page.tsx'),
  ),
  page(
    {
      name: 'orders',
      path: '/orders/:orderId?',
      entry: { href: '/orders', icon: IconShoppingBag, group: 'shop', keys: 'g o', isInBar: true },
    },
    () => import('../pages/orders/orders-page.tsx'),
  ),
  page(
    {
      name: 'activity',
      path: '/activity',
      entry: { href: '/activity', icon: IconActivity, group: 'shop', keys: 'g a' },
    },
    () => import('../pages/activity/activity-page.tsx'),
  ),
  page(
    {
      name: 'reorders',
      path: '/reorders',
      entry: { href: '/reorders', icon: IconTruckDelivery, group: 'shop', keys: 'g l' },
    },
    () => import('../pages/reorders/reorders-page.tsx'),
  ),
  page(
    {
      name: 'reports',
      path: '/reports/:report?',
      entry: { href: '/reports', icon: IconChartLine, group: 'shop', keys: 'g r' },
    },
    () => import('../pages/reports/reports-page.tsx'),
  ),
  page(
    {
      name: 'imports',
      path: '/imports/:importId?',
      entry: { href: '/imports', icon: IconFileImport, group: 'manage', keys: 'g i' },
    },
    () => import('../pages/imports/imports-page.tsx'),
  ),
  page(
    {
      name: 'access',
      path: '/access/*?',
      entry: { href: '/access', icon: IconKey, group: 'manage', keys: 'g k' },
    },
    () => import('../pages/access/access-page.tsx'),
  ),
  page(
    {
      name: 'webhooks',
      path: '/webhooks/:endpointId?/:attempt?',
      entry: { href: '/webhooks', icon: IconWebhook, group: 'manage', keys: 'g w' },
    },
    () => import('../pages/webhooks/webhooks-page.tsx'),
  ),
  page(
    {
      name: 'system',
      path: '/system/*?',
      entry: { href: '/system', icon: IconServer, group: 'manage', keys: 'g y' },
    },
    () => import('../pages/system/system-page.tsx'),
  ),
];

export type EntryPage = Page & { readonly entry: NonNullable<Page['entry']> };
export const ENTRIES = PAGES.filter((candidate): candidate is EntryPage => candidate.entry !== undefined);

/** Loads the code of the page that is open, while the session is read. */
export function preloadPage(pathname: string): void {
  const [, first] = pathname.split('/');
  PAGES.find(({ path }) => path.split('/')[1] === first)?.code.preload();
}
