import type { Import } from '../../api/schemas.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { type FindImport, isRedo } from './undo-chain.ts';

/** What an import is called: by its file, as the undo of that, or as what undoes the undo. */
export function useImportName(find: FindImport): (found: Import) => string {
  const { undo } = useTexts().imports;
  return (found) => {
    const { id, fileName, undoes } = found;
    if (undoes === null) return fileName ?? id;
    return (isRedo(found, find) ? undo.redoTitle : undo.title)(fileName ?? undoes);
  };
}
