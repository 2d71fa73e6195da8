import { parseUnits } from '@petstore-inventory/shared/terminal/arguments';
import { REASONS } from '@petstore-inventory/shared/words';
import { type Command, Option } from 'commander';
import type { Reason } from '../../src/index.ts';
import { parsePast } from '../arguments.ts';

/** Why something changes. */
export interface ExplanationOptions {
  readonly reason?: Reason;
  readonly note?: string;
  readonly reference?: string;
  readonly document?: string;
  readonly occurredAt?: Date;
}

/** The condition of a write, and its idempotency key. */
export interface WriteGuards {
  readonly ifMatch?: string;
  readonly idempotencyKey?: string;
}

export interface ChangeOptions extends ExplanationOptions, WriteGuards {
  readonly ifQuantity?: number;
}

interface ReasonRules {
  readonly isReasonRequired?: boolean;
  /** The reason of every change of the command, which no option gives. */
  readonly fixedReason?: Reason;
}

/** Adds the explanation of a change, which the ledger keeps. */
export function withExplanation(
  command: Command,
  { isReasonRequired = false, fixedReason }: ReasonRules = {},
): Command {
  if (fixedReason === undefined) {
    command.addOption(
      new Option('--reason <reason>', 'why').choices(REASONS).makeOptionMandatory(isReasonRequired),
    );
  }
  return command
    .option('--note <text>', 'a remark for people')
    .option('--reference <text>', 'your own id of the cause, such as a receipt')
    .option('--document <uri>', 'the address of the document behind the change')
    .option('--occurred-at <time>', 'when it happened in the shop, in UTC, or before 90m, 7d, …', parsePast);
}

/** Adds what a write requires. */
export function withGuards(command: Command): Command {
  return command
    .option('--if-match <etag>', 'change nothing if its etag is another one now')
    .option(
      '--idempotency-key <key>',
      'a name for this change: repeated with it, it is made once, for 24 hours',
    );
}

/** Adds all options of a change of one pet. */
export function withChange(command: Command, rules: ReasonRules = {}): Command {
  return withGuards(
    withExplanation(command, rules).option(
      '--if-quantity <n>',
      'change nothing if the quantity is another one now',
      parseUnits,
    ),
  );
}

/** The members of a body that explain a change. */
export interface Explanation {
  readonly reason: Reason | undefined;
  readonly note: string | undefined;
  readonly referenceId: string | undefined;
  readonly referenceDocumentUri: string | undefined;
  readonly occurredAt: Date | string | undefined;
}

export function explanationOf(options: ExplanationOptions): Explanation {
  const { reason, note, reference, document, occurredAt } = options;
  return { reason, note, referenceId: reference, referenceDocumentUri: document, occurredAt };
}

export function guardsOf({ ifMatch, idempotencyKey }: WriteGuards): WriteGuards {
  return {
    ...(ifMatch !== undefined && { ifMatch }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}
