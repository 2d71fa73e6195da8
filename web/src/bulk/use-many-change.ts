import { useEffect, useRef, useState } from 'react';
import type { BulkChange, BulkPet, BulkValues } from '../api/schemas.ts';
import { useErrorText, useTexts } from '../texts/texts-context.tsx';
import { actOnChange, type BulkSelection, petsOf, planChange, settledChange } from './bulk-api.ts';

/** Pets of the preview, of each kind. */
const SHOWN_PETS = 50;

export type Work = 'plan' | 'apply';

interface ManyChange {
  /** As the service has planned it; `undefined`: there is no preview. */
  readonly change: BulkChange | undefined;
  /** The first pets of the preview. */
  readonly pets: readonly BulkPet[];
  /** What the service does now. */
  readonly work: Work | undefined;
  readonly problem: string | undefined;
  /** Makes a preview, or applies the one that is shown. */
  submit(): Promise<void>;
  /** Gives up the preview; a change that is being applied stops where it is. */
  cancel(): Promise<void>;
  /** Returns to the values. */
  edit(): Promise<void>;
}

interface Options {
  readonly selection: BulkSelection | undefined;
  /** `undefined`: they are not complete. */
  readonly values: BulkValues | undefined;
  /** Applies a preview in which no pet is refused without another press. */
  readonly appliesAlone?: boolean;
  /** The change ended: all of it, or as much as was done when the person stopped it. */
  readonly onDone: (change: BulkChange) => void;
}

/** Whether no pet is refused. */
const isWhole = ({ planned, refused }: BulkChange['counts']): boolean => planned > 0 && refused === 0;

/** A change of many pets by the service: first a preview, then the change with its progress. */
export function useManyChange({ selection, values, appliesAlone = false, onDone }: Options): ManyChange {
  const { many } = useTexts().stock;
  const errorText = useErrorText();
  const [change, setChange] = useState<BulkChange>();
  const [pets, setPets] = useState<readonly BulkPet[]>([]);
  const [work, setWork] = useState<Work>();
  const [problem, setProblem] = useState<string>();
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);

  const plan = async () => {
    if (!selection || !values) return;
    const made = await planChange(selection, values);
    setChange(made);
    const planned = await settledChange(made.id, setChange, leaving.current.signal);
    if (appliesAlone && planned.state === 'planned' && isWhole(planned.counts)) {
      setWork('apply');
      return apply(made.id);
    }
    const [refused, shown] = await Promise.all([
      petsOf(made.id, 'refused', SHOWN_PETS),
      petsOf(made.id, 'planned', SHOWN_PETS),
    ]);
    setPets([...refused, ...shown]);
    if (planned.state === 'planned') return;
    setChange(undefined);
    const { failureCode } = planned;
    setProblem(failureCode ? many.failures[failureCode] : many.replaced);
  };
  const apply = async (id: string) => {
    await actOnChange(id, 'apply');
    onDone(await settledChange(id, setChange, leaving.current.signal));
  };
  const submit = async () => {
    if (work) return;
    setProblem(undefined);
    setWork(change ? 'apply' : 'plan');
    try {
      await (change ? apply(change.id) : plan());
    } catch (error) {
      if (leaving.current.signal.aborted) return;
      setProblem(errorText(error));
      setChange(undefined);
    }
    setWork(undefined);
  };
  const cancel = async () => {
    if (change) await actOnChange(change.id, 'cancel').catch(() => undefined);
  };
  const edit = async () => {
    setChange(undefined);
    setPets([]);
    await cancel();
  };
  return { change, pets, work, problem, submit, cancel, edit };
}
