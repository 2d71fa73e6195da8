import {
  columnMap,
  guessMapping,
  type Mapping,
  missingFields,
} from '@petstore-inventory/shared/pet-file/headings';
import type { Decimal } from '@petstore-inventory/shared/words';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { ImportMode } from '../../../api/schemas.ts';
import { useDraft } from '../../../drafts/use-draft.ts';
import { usePersonId } from '../../../session/session-context.tsx';
import type { ChosenFile } from './file-head.ts';
import { factsOf, IMPORT_PLACE, type ImportDraft, isFileOf, readImportDraft } from './import-draft.ts';
import { forgetFile, keepFile } from './kept-file.ts';
import { isMappedBy, type MendedRows, repeatedField, type RowValues } from './mapped-file.ts';
import { useUpload } from './use-upload.ts';

/** What a person chooses for a file before it is sent. A draft keeps it, and the browser the file, until then. */
export function usePreparation(chosen: ChosenFile, onClose: () => void) {
  const [, navigate] = useLocation();
  const { file, csv } = chosen;
  const [kept, setKept] = useState(chosen.remembered);
  const [mapping, setMapping] = useState(() => guessMapping(csv?.headers ?? [], columnMap(kept?.columns)));
  const [mode, setMode] = useState<ImportMode>('set');
  const [decimal, setDecimal] = useState<Decimal | undefined>(kept?.decimal ?? undefined);
  const [mended, setMended] = useState<MendedRows>(new Map());
  const { send, cancel, forget, progress, problem, bad } = useUpload((importId) =>
    end(() => navigate(`/imports/${importId}`)),
  );
  const personId = usePersonId();
  useEffect(() => void keepFile(personId, file), [personId, file]);
  const draft = useDraft<ImportDraft>({
    place: IMPORT_PLACE,
    empty: null,
    values: {
      file: factsOf(file),
      content: chosen.content,
      answer: chosen.answer,
      mapping,
      mode,
      decimal: decimal ?? null,
      mended: [...mended],
    },
    read: (value) => {
      const kept = readImportDraft(value);
      return kept && isFileOf(kept, chosen) && kept.mapping.length === mapping.length ? kept : undefined;
    },
    load: (kept) => {
      setMapping(kept.mapping);
      setMode(kept.mode);
      setDecimal(kept.decimal ?? undefined);
      setMended(new Map(kept.mended));
    },
  });
  /** The file is sent, or the person discards it. */
  const end = (next: () => void) => {
    draft.end();
    void forgetFile(personId);
    next();
  };
  const missing = csv ? missingFields(mapping) : [];
  const repeated = repeatedField(mapping);
  const isReady = missing.length === 0 && repeated === undefined;
  // A column that was changed since is not as the mapping has it.
  const remembered = kept && csv && isMappedBy(kept, csv.headers, mapping) ? kept : undefined;
  const changeMapping = (next: Mapping) => {
    setMapping(next);
    // The mended values are of other columns.
    setMended(new Map());
    forget();
  };
  const changeMode = (next: ImportMode) => {
    setMode(next);
    // A quantity that may be added can be one that cannot be set.
    forget();
  };
  const check = (leavesOut: boolean, mark = decimal) =>
    send(chosen, { mapping, mode, mended, leavesOut, decimal: mark, remembered });
  return {
    mapping,
    mode,
    decimal,
    mended,
    draft: { ...draft, discard: () => end(onClose) },
    /** Fields without which a row is no pet, and the one that two columns have. */
    missing,
    repeated,
    isReady,
    /** What the person chose for such a file before, and whether it holds as it was. */
    kept,
    remembered,
    progress,
    problem,
    bad,
    changeMapping,
    changeMode,
    check,
    remember: setKept,
    dropRemembered: () => {
      setKept(undefined);
      changeMapping(guessMapping(csv?.headers ?? []));
    },
    changeDecimal: (mark: Decimal) => {
      setDecimal(mark);
      check(false, mark);
    },
    mend: (line: number, values: RowValues) => setMended((before) => new Map(before).set(line, values)),
    cancel: () => {
      cancel();
      end(onClose);
    },
  };
}
