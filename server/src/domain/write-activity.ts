import type { Change } from './ledger/stock.ts';
import type { Action } from './management/activity.ts';
import type { WriteCommand } from './write-command.ts';

/** The line of the activity log for a write of a management key or the operator; `undefined` for one that changes nothing. */
export function activityOf(command: WriteCommand): Action | undefined {
  switch (command.kind) {
    case 'change':
      return changeAction(command.change);
    case 'revert':
      return { action: 'movements.revert', target: String(command.sequence), details: {} };
    case 'batch': {
      const { isDryRun, errorPolicy, changes } = command;
      const details = { changes: changes.length, errorPolicy };
      return isDryRun ? undefined : { action: 'inventory.batch', target: null, details };
    }
    case 'place':
      return { action: 'orders.place', target: null, details: { lines: command.lines } };
    case 'step': {
      const { step, orderId, lines } = command;
      return { action: `orders.${step}`, target: String(orderId), details: { lines } };
    }
  }
}

function changeAction({ petId, kind, ...change }: Change): Action {
  const { explanation: _inTheMovement, ifMatch: _match, ifNoneMatch: _none, ...details } = change;
  return { action: `inventory.${kind}`, target: String(petId), details };
}
