import { QueueFullError } from '../../counts/count-queue.ts';
import type { WaitingDetails } from '../../counts/details.ts';
import { keepDetails } from '../../counts/use-counts.ts';
import { RefusedForm } from '../../components/dialogs/use-submit.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import type { Pet } from './pet-api.ts';

/**
 * Keeps an edit of the details of a pet until there is a connection.
 * @returns A function, whose `isTried` says whether a request of the edit may have arrived. It throws RefusedForm.
 */
export function useKeepDetails(name: string) {
  const texts = useTexts().pet;
  const session = useSession();
  const { show } = useToast();
  return ({ petId, quantity: expected, tag }: Pet, details: WaitingDetails, isTried: boolean): void => {
    try {
      keepDetails({ petId, name, expected, tag }, details, session, isTried);
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      throw new RefusedForm(texts.unkeptEdit(name));
    }
    show({ message: texts.keptEdit(name) });
  };
}
