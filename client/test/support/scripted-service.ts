import assert from 'node:assert/strict';
import type { ClientOptions } from '../../src/index.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

export const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ code, message: 'Not now.', status }, { status, headers });

export const success = (body: string, headers: Record<string, string> = {}) =>
  new Response(body, { headers: { ...JSON_TYPE, ...headers } });

interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** An attempt has no shorter time-out in these tests, and no longer pause is awaited. */
export const SHORTEST_TIMEOUT_MS = 60_000;

/**
 * Options of a client whose requests get these answers, one each. Its pauses are over immediately, and no attempt takes
 * time. Requests for the state of the limits are not counted.
 */
export function scripted(answers: readonly (() => Response)[], prefix = 'psk_test_') {
  const requests: SentRequest[] = [];
  const probes: string[] = [];
  const pauses: number[] = [];
  const timeouts: number[] = [];
  let nowMs = 0;
  const options = {
    baseUrl: 'http://localhost',
    apiKey: `${prefix}${crypto.randomUUID()}`,
    maxWaitMs: Number.POSITIVE_INFINITY,
    clock: {
      now: () => nowMs,
      after: (ms: number, callback: () => void) => {
        if (ms >= SHORTEST_TIMEOUT_MS) {
          timeouts.push(ms);
          return () => {};
        }
        pauses.push(ms);
        const timer = setImmediate(() => {
          nowMs += ms;
          callback();
        });
        return () => clearImmediate(timer);
      },
      random: () => 0.5,
    },
    fetch: async (input: string | URL | Request, init?: RequestInit) => {
      const url = String(input);
      if (url.endsWith('/rate-limit')) {
        probes.push(url);
        return refusal(404, 'not_found');
      }
      const { method = 'GET', body, headers } = init ?? {};
      requests.push({ method, url, headers: new Headers(headers), body });
      const answer = answers[requests.length - 1];
      assert.ok(answer, 'no further request');
      return answer();
    },
  } satisfies ClientOptions;
  return { options, requests, probes, pauses, timeouts };
}
