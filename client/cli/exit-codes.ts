import type { PetstoreError } from '../src/index.ts';

/** What a process of the command line ends with. Scripts rely on them: they never change. */
export const EXIT = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  refused: 3,
  notFound: 4,
  notAllowed: 5,
  limited: 6,
  unreachable: 7,
  /** 128 and the number of SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The table of the help. */
export const EXIT_CODES = `Exit codes:
  ${EXIT.done}    done
  ${EXIT.failed}    the service or this program failed, or a question was answered with no
  ${EXIT.wrongUsage}    the command line or a value is wrong; nothing was changed
  ${EXIT.refused}    refused because of the present state, such as too little stock, or some rows of a file were refused
  ${EXIT.notFound}    there is no such pet, order or history
  ${EXIT.notAllowed}    no API key, or one that is wrong, expired or lacks a scope
  ${EXIT.limited}    the limit of requests is used up, or the key is banned
  ${EXIT.unreachable}    the service cannot be reached, or cannot respond now
  ${EXIT.interrupted}  interrupted by Ctrl-C or SIGTERM`;

const BY_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  408: EXIT.unreachable,
  409: EXIT.refused,
  410: EXIT.notFound,
  412: EXIT.refused,
  422: EXIT.refused,
  429: EXIT.limited,
  500: EXIT.failed,
};

/** How a command ends that the service or the client refused. */
export function exitCodeOf({ code, status }: PetstoreError): ExitCode {
  if (code === 'invalid_argument') return EXIT.wrongUsage;
  if (code === 'ledger_replaced') return EXIT.refused;
  if (status === undefined || code === 'invalid_response' || code === 'route_not_found')
    return EXIT.unreachable;
  return BY_STATUS[status] ?? (status < 500 ? EXIT.wrongUsage : EXIT.unreachable);
}
