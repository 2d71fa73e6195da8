import { useCallback } from 'react';
import { isApiError } from '../../api/api-error.ts';
import { api, newIdempotencyKey } from '../../api/client.ts';
import type { Movement } from '../../api/schemas.ts';
import type { Texts } from '../../texts/en.ts';
import { useErrorText, useFormat, useTexts } from '../../texts/texts-context.tsx';
import { useToast } from '../toast/toast-provider.tsx';

/** Reverts a movement. @throws ApiError */
export function revertMovement(sequence: number): Promise<Movement> {
  return api<Movement>('POST', `/movements/${sequence}/revert`, { idempotencyKey: newIdempotencyKey() });
}

/** Reverts a movement and shows the result in a toast, which can undo it in turn. */
export function useUndoMovement(): (sequence: number, petName: string) => Promise<void> {
  const { movements } = useTexts();
  const format = useFormat();
  const errorText = useErrorText();
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
        const why = relatedText(error, movements) ?? errorText(error);
        show({ message: movements.failed(why), isError: true });
      }
    },
    [movements, format, show, errorText],
  );
}

/** Why the change cannot be undone any more: the service links the movement or the order that is in the way. */
function relatedText(error: unknown, texts: Texts['movements']): string | undefined {
  if (!isApiError(error, 'conflict')) return undefined;
  const [, related] =
    /<[^>]*\/(movements|store\/orders)\/\d+>; rel="related"/.exec(error.headers.get('Link') ?? '') ?? [];
  if (related === 'movements') return texts.alreadyUndone;
  return related === undefined ? undefined : texts.ofOrder;
}
