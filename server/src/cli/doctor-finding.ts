import { OperatorError } from '../domain/errors.ts';

/** The longest time for an answer of the service, at its own address and through its proxy. */
export const RESPONSE_TIMEOUT_MS = 10_000;

type State = 'ok' | 'warning' | 'fault';

/** What one check found, as a sentence. */
export interface Finding {
  readonly check: string;
  readonly state: State;
  readonly message: string;
  /** What to type; `null` where the message says all. */
  readonly fix: string | null;
}

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message, fix: null });
export const warning = (check: string, message: string, fix: string | null = null): Finding => ({
  check,
  state: 'warning',
  message,
  fix,
});
export const fault = (check: string, message: string, fix: string | null = null): Finding => ({
  check,
  state: 'fault',
  message,
  fix,
});

/** Why the service would refuse to start, if it would. */
export function refusalOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
}
