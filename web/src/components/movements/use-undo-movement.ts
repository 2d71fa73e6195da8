import { useCallback } from 'react';
import { isApiError } from '../../api/api-error.ts';
import { api, newIdempotencyKey } from '../../api/client.ts';
import type { Movement } from '../../api/schemas.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { useToast } from '../toast/toast-provider.tsx';

/** Reverts a movement. @throws ApiError */
export function revertMovement(sequence: number): Promise<Movement> {
  return api<Movement>('POST', `/movements/${sequence}/revert`, { idempotencyKey: newIdempotencyKey() });
}

/** Reverts a movement and shows the result in a toast, which can undo it in turn. */
export function useUndoMovement(): (sequence: number, petName: string) => Promise<void> {
  const { movements } = useTexts();
  const format = useFormat();
  const { show } = useToast();
  return useCallback(
    async (sequence, petName) => {
      try {
        const { sequence: made, quantityBefore, quantityAfter } = await revertMovement(sequence);
        show({
          message: movements.undoDone(
            petName,
            format.quantity(quantityBefore),
            format.quantity(quantityAfter),
          ),
          undo: async () => void (await revertMovement(made)),
        });
      } catch (error) {
        show({ message: movements.failed(reasonOf(error, movements)), isError: true });
      }
    },
    [movements, format, show],
  );
}

function reasonOf(
  error: unknown,
  { takesReserved, alreadyUndone }: { takesReserved: string; alreadyUndone: string },
): string {
  const message = error instanceof Error ? error.message : String(error);
  if (isApiError(error, 'insufficient_stock') && message.includes('takeReserved')) return takesReserved;
  return message.includes('was reverted before') ? alreadyUndone : message;
}
