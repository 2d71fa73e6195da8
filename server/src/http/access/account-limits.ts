import type { Principal } from '../../domain/access/principal.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { KeyStore, LimitStore, Refusal } from '../../domain/store.ts';
import type { RequestContext } from '../request/request-context.ts';
import { overLimit } from './over-limit.ts';

interface AccountLimitParts {
  readonly store: LimitStore & Pick<KeyStore, 'noteKeyUse'>;
  /** Whether the request takes nothing from the quota. */
  readonly isFree: (context: RequestContext) => boolean;
  readonly onRefused: (context: RequestContext, refusal: Refusal) => void;
}

/** The limits of accounts and the bans of keys. */
export function accountLimits({ store, isFree, onRefused }: AccountLimitParts) {
  return (context: RequestContext): MaybePromise<void> => {
    const principal = context.principal as Principal;
    return isFree(context) ? show(store, context, principal) : charge(context, principal);
  };

  function charge(context: RequestContext, principal: Principal): MaybePromise<void> {
    return andThen(store.admit(principal, context.nowMs), (admission) => {
      context.windows = admission.windows;
      context.nowMs = admission.atMs;
      context.ledgerHead = admission.head;
      if (admission.failure) throw admission.failure;
      if (admission.refusal) {
        onRefused(context, admission.refusal);
        throw overLimit(context, admission.refusal);
      }
      store.noteKeyUse(principal.key.id, context.nowMs);
    });
  }
}

function show(store: LimitStore, context: RequestContext, principal: Principal): MaybePromise<void> {
  return andThen(store.limitStatus(principal, context.nowMs), (limitStatus) => {
    context.limitStatus = limitStatus;
    context.windows = limitStatus.windows;
    context.nowMs = limitStatus.atMs;
  });
}
