import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { Import } from '../../../api/schemas.ts';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { RoleButton } from '../../../session/role-button.tsx';
import { useErrorText, useTexts } from '../../../texts/texts-context.tsx';
import { useImportName } from '../import-name.ts';
import { planUndo, useNoteImport } from '../imports-api.ts';

/** Makes the plan that undoes an import, and shows it. */
export function UndoButton({ found, isInList = false }: { found: Import; isInList?: boolean }) {
  const { app, imports } = useTexts();
  const errorText = useErrorText();
  const toast = useToast();
  const [, navigate] = useLocation();
  const note = useNoteImport();
  const nameOf = useImportName();
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
      {...(isInList && { size: 'compact-sm', 'aria-label': imports.undo.planOf(nameOf(found)) })}
      loading={undo.isPending}
      onClick={() => undo.mutate()}
    >
      {isInList ? app.actions.undo : imports.undo.plan}
    </RoleButton>
  );
}
