import { type ErrorEntry, errorsJson } from '@petstore-inventory/shared/pet-file/refused-file';
import { PetstoreError } from '../src/index.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts';

/** A failure of a command that this program itself found, as a sentence. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}

/** A command printed its result, and the result is a failure. With `--json` the printed value is the only document. */
export class FailedResult extends CommandFailure {}

/** The user interrupted the command. */
export class Interruption extends Error {
  constructor() {
    super('Interrupted.');
  }
}

/** A failure for people and programs. */
interface Report {
  readonly exitCode: ExitCode;
  /** Sentences: what happened, and what to do. */
  readonly error: string;
  readonly code?: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** With this key the same write happens at most once. */
  readonly idempotencyKey?: string | undefined;
  /** What is wrong, at most 20 faults of a file. */
  readonly errors: readonly ErrorEntry[];
  readonly errorCount: number;
}

/** Describes whatever ended a command, without a stack trace. */
export function reportOf(error: unknown): Report {
  if (error instanceof CommandFailure)
    return {
      exitCode: error.exitCode,
      error: error.message,
      ...errorsJson(error.cause, [{ message: error.message }]),
    };
  if (!(error instanceof PetstoreError)) {
    const message = `Unexpected error: ${error instanceof Error ? error.message : String(error)}`;
    return { exitCode: EXIT.failed, error: message, ...errorsJson(error, [{ message }]) };
  }
  const { code, status, requestId, retryAfterSeconds, mayHaveChanged, idempotencyKey } = error;
  return {
    exitCode: exitCodeOf(error),
    error: [error.message, ...adviceOn(error)].join(' '),
    ...errorsJson(error, [{ code, message: error.message }]),
    code,
    status,
    requestId,
    retryAfterSeconds,
    ...(mayHaveChanged && { idempotencyKey }),
  };
}

const LOG_IN = 'Run petstore login with a valid key.';

const ADVICE: Readonly<Record<string, string>> = {
  connection_failed: 'Check that the service runs, and its address: petstore login changes it.',
  timed_out: 'Try again.',
  invalid_response: 'Check that the address is that of the service: petstore login changes it.',
  route_not_found: 'Check that the address is that of the service: petstore login changes it.',
  missing_api_key: LOG_IN,
  invalid_api_key: LOG_IN,
  expired_api_key: LOG_IN,
  revoked_api_key: LOG_IN,
  insufficient_scope: 'The operator of the service can make a key with it.',
  service_unavailable: 'Try again later.',
};

function adviceOn({ code, requestId, retryAfterSeconds, details, ...error }: PetstoreError): string[] {
  const advice = ADVICE[code];
  return [
    ...(code === 'precondition_failed' && details.etag ? [`Its ETag is ${details.etag} now.`] : []),
    ...(retryAfterSeconds ? [`Try again in ${retryAfterSeconds} s.`] : advice ? [advice] : []),
    ...(error.mayHaveChanged && error.idempotencyKey
      ? [
          `The change may have been made. Repeat the command with --idempotency-key ${error.idempotencyKey}: ` +
            'then it is made at most once.',
        ]
      : []),
    ...(code === 'internal_error' && requestId ? [`Report the request ${requestId} to the operator.`] : []),
  ];
}
