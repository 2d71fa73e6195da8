import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import type { Command } from 'commander';
import type { KeyKind } from '../../domain/access/api-key.ts';
import type { Principal } from '../../domain/access/principal.ts';
import { requireKey, revokeKey } from '../../domain/actions/keys.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { timestampOrNull } from '../../domain/timestamps.ts';
import type { OpenedAdminStore } from '../../store/schema/database-metadata.ts';
import { addCommand } from '../command.ts';
import { requireYes, withYes, type YesOptions } from '../confirm.ts';
import { type DryRunOption, dryRunOutput, overlapOption, withDryRun } from '../options.ts';
import type { Output } from '../output.ts';
import { type Moment, parseExpiry, shownTime } from '../parse-time.ts';
import { databaseCommand } from '../with-database.ts';
import { describeNewKey, rotateKey } from './new-key.ts';

interface RotateOptions {
  readonly overlap: number;
  readonly expires?: Moment;
}

const TEXTS = {
  client: {
    group: 'keys',
    key: 'an API key',
    kept: 'The new key has the name, the scopes and the lifetime of the old one. The quota belongs to the account and does not change.',
  },
  management: {
    group: 'admin-keys',
    key: 'a management key',
    kept: 'The new key has the name, the role and the lifetime of the old one.',
  },
} as const;

/** Adds the commands that replace and revoke keys of a kind. */
export function addRotateAndRevoke(keys: Command, kind: KeyKind): void {
  const { group, key, kept } = TEXTS[kind];
  addCommand(keys, 'rotate', {
    summary: `replace ${key}: a new one now, the old one works a while longer`,
    notes: kept,
    example: `${group} rotate key_4fQ2n8Zk1bXw0aLr --overlap 1d`,
  })
    .argument('<key-id>', `id of the key, as ${group} list shows it`)
    .addOption(overlapOption('how long the old key still works: 0 to 7d'))
    .option('--expires <time>', 'when the new key expires', parseExpiry)
    .action(
      databaseCommand(async ({ store, config }, keyId: string, options: RotateOptions) => {
        const made = await rotateKey(
          config,
          store,
          { keyId, kind },
          {
            overlapSeconds: options.overlap,
            expiresAtMs: options.expires?.(await store.now()),
          },
        );
        const { value, text } = describeNewKey(made.secret, made.principal);
        return {
          value: { ...value, oldExpiresAt: timestampOrNull(made.oldExpiresAtMs) },
          text: `${text}\n\nThe old key ${keyId} works until ${shownTime(made.oldExpiresAtMs)}.`,
        };
      }),
    );

  const revoke = addCommand(keys, 'revoke', {
    summary: `revoke ${key} for good`,
    notes: 'A running service refuses it within 5 seconds.',
    example: `${group} revoke key_4fQ2n8Zk1bXw0aLr --dry-run`,
  });
  withYes(withDryRun(revoke, 'the key'))
    .argument('<key-id>', `id of the key, as ${group} list shows it`)
    .action(
      databaseCommand(async ({ store }, keyId: string, options: DryRunOption & YesOptions) => {
        const principal = await requireKey(store, keyId, kind);
        if (options.dryRun) return previewRevocation(principal);
        const { name, hint, revokedAtMs } = principal.key;
        if (revokedAtMs === null) {
          await requireYes(options, {
            what: `${group} revoke is for good: requests with the key fail from then on`,
            question: () => `Revoke the key ${safe(name)} (${hint}) for good?`,
            done: 'revoked',
          });
        }
        return describeRevocation(store, { keyId, kind });
      }),
    );
}

function previewRevocation({ key, account }: Principal): Output {
  const { id, hint, name, role, revokedAtMs, lastUsedAtMs } = key;
  const owner = role === null ? `account ${account.name}` : `role ${role}`;
  const what =
    revokedAtMs === null
      ? `would be revoked; it was last used: ${shownTime(lastUsedAtMs)}.`
      : `was revoked already, ${shownTime(revokedAtMs)}.`;
  return dryRunOutput(
    { id, revokedAt: timestampOrNull(revokedAtMs), lastUsedAt: timestampOrNull(lastUsedAtMs) },
    `Key ${id} (${hint}, ${name}, ${owner}) ${what}`,
  );
}

async function describeRevocation(
  store: OpenedAdminStore,
  named: { readonly keyId: string; readonly kind: KeyKind },
): Promise<Output> {
  const { principal, wasRevoked } = await revokeKey(store, named, CLI_AUTHOR);
  const { id, hint, revokedAtMs } = principal.key;
  const when = wasRevoked ? 'was revoked already' : 'is revoked';
  return {
    value: { id, revokedAt: timestampOrNull(revokedAtMs) },
    text: `Key ${id} (${hint}) ${when}, ${shownTime(revokedAtMs)}.`,
  };
}
