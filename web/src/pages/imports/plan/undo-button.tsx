import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { Import } from '../../../api/schemas.ts';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { RoleButton } from '../../../session/role-button.tsx';
import { useErrorText, useTexts } from '../../../texts/texts-context.tsx';
import { planUndo, useNoteImport } from '../imports-api.ts';

/** Makes the plan that undoes an import, and shows it. @param listedAs The name of the import, in a list of several. */
export function UndoButton({ found, listedAs }: { found: Import; listedAs?: string }) {
  const { app, imports } = useTexts();
  const errorText = useErrorText();
  const toast = useToast();
  const [, navigate] = useLocation();
  const note = useNoteImport();
  const undo = useMutation({
    mutationFn: () => planUndo(found.id),
    onMutate: toast.clear,
    onSuccess: (made) => {
      note(made);
      navigate(`/imports/${made.id}`);
    },
    onError: (error) => toast.show({ message: errorText(error), isError: true }),
  });
  return (
    <RoleButton
      needs="staff"
      variant="default"
      {...(listedAs !== undefined && { size: 'compact-sm', 'aria-label': imports.undo.planOf(listedAs) })}
      loading={undo.isPending}
      onClick={() => undo.mutate()}
    >
      {listedAs === undefined ? imports.undo.plan : app.actions.undo}
    </RoleButton>
  );
}
