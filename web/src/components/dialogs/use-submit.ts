import { type FormEvent, useState } from 'react';
import { useErrorText } from '../../texts/texts-context.tsx';

/** Why a form was not sent, in words for the person. */
export class RefusedForm extends Error {
  /** For the person, in the language of the page. */
  readonly text: string;

  constructor(text: string) {
    super(text);
    this.text = text;
  }
}

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
      setProblem(error instanceof RefusedForm ? error.text : errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, submit };
}
