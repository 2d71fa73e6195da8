import { STATUS_CODES } from 'node:http';
import { ERROR_STATUS, type ErrorCode } from '../server/src/domain/errors.ts';
import { ERROR_MEANINGS } from '../server/src/http/openapi/error-descriptions.ts';
import { ERROR_REMEDIES } from '../server/src/http/openapi/error-remedies.ts';

const INTRODUCTION = `<!-- Written by npm run openapi from server/src/http/openapi/error-remedies.ts. -->

# Errors

Every error is \`{code, message, status}\`. Match on \`code\`; a message is for people, and details are in headers. Codes may be added:
treat an unknown one by its status.

| status | what to do |
|---|---|
| 400, 404, 405, 406, 410, 413, 415, 422, 431 | correct the request; the same request fails again |
| 401 | check the key |
| 403 | use a key with the scope that the message names |
| 408 | send the request again; a write with the same \`Idempotency-Key\` |
| 409, 412 | read the present state from the headers, decide, and send a new request |
| 429 | wait for \`Retry-After\` seconds, then send the request again |
| 500 | report the \`X-Request-Id\` |
| 503 | wait for \`Retry-After\` seconds, then send the request again; a write with the same \`Idempotency-Key\` |
| 502, 504 | a proxy got no response from the service, so a change may be recorded: send the request again; a write with the same \`Idempotency-Key\` |
| 507 | free some of the disk of the database, or send less |

If a connection breaks during a write, the change may or may not be recorded. [Send it again](safe-writes.md#repeat-a-write-safely)
with the same \`Idempotency-Key\`: the service executes it at most once.
`;

/** The text of \`docs/errors.md\`: each code of the service with its meaning, cause and remedy. */
export function errorsPage(): string {
  const codes = Object.keys(ERROR_STATUS) as ErrorCode[];
  return [INTRODUCTION, ...codes.map(sectionOf)].join('\n');
}

function sectionOf(code: ErrorCode): string {
  const { cause, remedy } = ERROR_REMEDIES[code];
  const status = ERROR_STATUS[code];
  return `## ${code}

| ${status} | ${STATUS_CODES[status]} |
|---|---|
| meaning | ${ERROR_MEANINGS[code]} |
| cause | ${cause} |
| remedy | ${remedy} |
`;
}
