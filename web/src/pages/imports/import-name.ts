import type { Import } from '../../api/schemas.ts';
import { useTexts } from '../../texts/texts-context.tsx';

/** What an import is called: by its file, or as the undo of that. */
export function useImportName(): (found: Import) => string {
  const { imports } = useTexts();
  return ({ id, fileName, undoes }) =>
    undoes === null ? (fileName ?? id) : imports.undo.title(fileName ?? undoes);
}
