import { type ReactNode, useState } from 'react';
import { useOfferedCommands } from '../../../components/commands.ts';
import type { Records } from '../../../components/records/use-records.ts';
import { RoleButton } from '../../../session/role-button.tsx';
import { useMay } from '../../../session/session-context.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { AccessFrame } from '../access-frame.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { KeyList } from './key-list.tsx';
import type { AnyKey, KeyKind } from './keys-api.ts';

interface Props<T extends AnyKey> {
  readonly kind: KeyKind;
  /** The address of the list. That of a key follows it. */
  readonly home: string;
  /** The key of the address. */
  readonly keyId: string | undefined;
  readonly list: Records<T>;
  readonly useFound: (words: string | undefined) => Records<T>;
  /** Names the account of a key, where the keys of several accounts are listed. */
  readonly accountOf?: (key: T) => string;
  /** The dialog that creates a key. */
  readonly dialog: (onClose: () => void) => ReactNode;
}

/** The keys of a kind, with the one of the address in a drawer. */
export function KeysPage<T extends AnyKey>({ home, keyId, dialog, ...props }: Props<T>) {
  const { keys } = useTexts().access;
  const format = useFormat();
  const [isCreating, setCreating] = useState(false);
  const mayCreate = useMay('administrator');
  const create = () => setCreating(true);
  useOfferedCommands(mayCreate ? [{ label: keys.create, run: create }] : []);
  const { kind, list } = props;
  const active = list.records?.filter(({ state }) => state === 'active').length;
  const hrefOf = (id: string) => `${home}/${id}`;
  return (
    <AccessFrame
      facts={active !== undefined && keys.facts(format.count(active, !list.isWhole))}
      actions={
        <RoleButton needs="administrator" onClick={create}>
          {keys.create}
        </RoleButton>
      }
    >
      <KeyList {...props} hrefOf={({ id }) => hrefOf(id)} />
      <KeyDrawer kind={kind} keyId={keyId} closeTo={home} hrefOf={hrefOf} />
      {isCreating && dialog(() => setCreating(false))}
    </AccessFrame>
  );
}
