import type { PetStatus } from '@petstore-inventory/shared/words';
import {
  type Action,
  type Change,
  changesOf,
  type Operation,
  type Outcome,
  type Refusal,
  type Register,
  type Reported,
} from './history.ts';

/** A register with the memory of which movements were reverted. The same object means that nothing was recorded. */
export interface State extends Register {
  readonly reverted: ReadonlySet<number>;
}

/** The state in which a history begins. */
export function stateOf({ quantity, reserved, status, version }: Register): State {
  return { quantity, reserved, status, version, reverted: new Set() };
}

/**
 * The state after an operation that takes effect at `state`, or `undefined` if `state` does not explain its answer. An
 * operation with an unknown outcome is explained only if it records something: otherwise it has no effect.
 */
export function explain(state: State, { action, outcome }: Operation): State | undefined {
  const { after, refusals } = perform(state, action);
  switch (outcome.result) {
    case 'failed':
      return state;
    case 'unknown':
      return refusals.length > 0 || after === state ? undefined : after;
    case 'refused':
      return refusals.includes(outcome.refusal) && agrees(state, outcome) ? state : undefined;
    case 'done':
      return refusals.length === 0 && isTrueOf(outcome, state, after) ? after : undefined;
  }
}

/**
 * Whether an operation records nothing in any state. Moving it to the first state that explains it does not hinder
 * another operation.
 */
export function isPassive({ action, outcome }: Operation): boolean {
  if (action.kind === 'read' || outcome.result === 'refused' || outcome.result === 'failed') return true;
  return outcome.result === 'done' && outcome.sequence === null;
}

function isTrueOf(reported: Outcome & Reported, before: State, after: State): boolean {
  if (reported.quantityBefore !== undefined && reported.quantityBefore !== before.quantity) return false;
  if (reported.sequence !== undefined && (reported.sequence === null) !== (after === before)) return false;
  return agrees(after, reported);
}

function agrees(state: State, { quantity, reserved, status, version }: Reported): boolean {
  return (
    (quantity === undefined || quantity === state.quantity) &&
    (reserved === undefined || reserved === state.reserved) &&
    (status === undefined || status === state.status) &&
    (version === undefined || version === state.version)
  );
}

/** The state after an action, and every reason to refuse it. */
function perform(state: State, action: Action): { after: State; refusals: readonly Refusal[] } {
  let after = state;
  for (const change of changesOf(action)) {
    const refusals = refusalsOf(after, change);
    if (refusals.length > 0) return { after: state, refusals };
    after = stateAfter(after, change);
  }
  return { after, refusals: [] };
}

function refusalsOf(state: State, change: Change): Refusal[] {
  const refusals: Refusal[] = [];
  if (change.ifVersion !== undefined && change.ifVersion !== state.version)
    refusals.push('precondition_failed');
  const isOtherQuantity = change.ifQuantity !== undefined && change.ifQuantity !== state.quantity;
  if (change.kind === 'revert' && change.isOfOrder) return ['conflict'];
  const isRevertedAlready = change.kind === 'revert' && state.reverted.has(change.sequence);
  const isNothingToRevert = change.kind === 'revert' && stateAfter(state, change) === state;
  if (isOtherQuantity || isRevertedAlready || isNothingToRevert) refusals.push('conflict');
  if (isShort(state, change)) refusals.push('insufficient_stock');
  return refusals;
}

/** Whether a change needs more units than there are, or than are available. */
function isShort({ quantity, reserved }: State, change: Change): boolean {
  const after = quantityAfter(quantity, change);
  if (change.kind === 'reserve') return quantity - reserved < change.units;
  const mayTake = (change.kind !== 'adjust' && change.kind !== 'revert') || change.takesReserved === true;
  return after < 0 || (!mayTake && after < quantity && after < reserved);
}

/** The quantity after a change; below zero if the change must be refused. */
export function quantityAfter(quantity: number, change: Change): number {
  switch (change.kind) {
    case 'set':
      return change.quantity;
    case 'adjust':
      return quantity + change.delta;
    case 'revert':
      return quantity - change.delta;
    case 'deliver':
      return quantity - change.units;
    case 'return':
      return quantity + change.units;
    case 'status':
    case 'reserve':
    case 'release':
      return quantity;
  }
}

/** The reserved units after a change. */
export function reservedAfter(reserved: number, change: Change): number {
  if (change.kind === 'reserve') return reserved + change.units;
  const isFreed = change.kind === 'release' || change.kind === 'deliver';
  return isFreed ? reserved - change.units : reserved;
}

/** The status after a change. */
export function statusAfter(status: PetStatus, change: Change): PetStatus {
  if (change.kind === 'status') return change.status;
  return change.kind === 'revert' && change.status?.to === status ? change.status.from : status;
}

function stateAfter(state: State, change: Change): State {
  const quantity = quantityAfter(state.quantity, change);
  const status = statusAfter(state.status, change);
  const reserved = reservedAfter(state.reserved, change);
  const isSame = quantity === state.quantity && status === state.status && reserved === state.reserved;
  if (isSame) return state;
  const reverted = change.kind === 'revert' ? new Set(state.reverted).add(change.sequence) : state.reverted;
  return { quantity, reserved, status, version: state.version + 1, reverted };
}
