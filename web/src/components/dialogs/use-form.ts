import { useState } from 'react';

interface TextEvent {
  readonly currentTarget: { readonly value: string };
}

/** The values of a form. `input` is for text fields, `choice` for controls that pass their value. */
export function useForm<T extends object>(initial: T | (() => T)) {
  const [values, setValues] = useState(initial);
  const set = (changed: Partial<T>) => setValues((before) => ({ ...before, ...changed }));
  const choice = <Name extends keyof T>(name: Name) => ({
    value: values[name],
    onChange: (value: T[Name]) => set({ [name]: value } as unknown as Partial<T>),
  });
  const input = <Name extends keyof T>(name: Name) => ({
    value: String(values[name]),
    onChange: ({ currentTarget: { value } }: TextEvent) => set({ [name]: value } as Partial<T>),
    autoComplete: 'off',
  });
  return { values, set, choice, input };
}

export type Form<T extends object> = ReturnType<typeof useForm<T>>;
