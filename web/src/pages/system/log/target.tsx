import { Link } from 'wouter';
import type { ActivityEntry } from '../../../api/schemas.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

/** The pages of what actions change, by their groups. */
const PAGES: Readonly<Record<string, string>> = {
  pets: '/pets/',
  inventory: '/pets/',
  orders: '/orders/',
  accounts: '/access/accounts/',
  keys: '/access/keys/',
  'admin-keys': '/access/management-keys/',
  imports: '/imports/',
  webhooks: '/webhooks/',
};

/** What an action changed, with a link to its page. */
export function Target({ entry: { action, target } }: { entry: ActivityEntry }) {
  const { app } = useTexts();
  if (target === null) return app.records.empty;
  const page = PAGES[action.split('.', 1)[0] ?? ''];
  const isGone = action.endsWith('.delete');
  if (page === undefined || isGone) return target;
  return <Link href={page + encodeURIComponent(target)}>{target}</Link>;
}
