import { type FormEvent, useState } from 'react';
import { useErrorText } from '../../texts/texts-context.tsx';
import { ChangedMeanwhile } from './record-edit.ts';

/** Sends a form, once at a time, and describes why that failed. */
export function useSubmit(send: () => Promise<unknown>) {
  const errorText = useErrorText();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await send();
    } catch (error) {
      setProblem(error instanceof ChangedMeanwhile ? error.text : errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, submit };
}
