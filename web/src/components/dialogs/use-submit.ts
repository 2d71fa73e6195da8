import { type FormEvent, useState } from 'react';
import { useErrorText } from '../../texts/texts-context.tsx';
import { type PetsInTheWay, petsInTheWayOf } from './pets-in-the-way.tsx';

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
  const [pets, setPets] = useState<PetsInTheWay>();
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    setPets(undefined);
    try {
      await send();
    } catch (error) {
      setProblem(error instanceof RefusedForm ? error.text : errorText(error));
      setPets(petsInTheWayOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, pets, submit };
}
