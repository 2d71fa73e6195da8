import type { Command } from 'commander';
import { PetstoreClient, type RequestOptions, VERSION } from '../src/index.ts';
import { plainAddress, readCredentials } from './account/credentials.ts';
import type { CommonOptions } from './command.ts';
import type { Context } from './context.ts';
import { Interruption } from './failure.ts';
import { Printer } from './terminal/printer.ts';
import { Waiting } from './terminal/waiting.ts';

/** The list of a large shop is one response. */
export const LIST_TIMEOUT_MS = 600_000;

export const AGENT = `petstore-cli/${VERSION}`;

/** What a command with requests works with. */
export interface Run {
  readonly context: Context;
  readonly client: PetstoreClient;
  /** The address of the service, in the same form whatever the user wrote. */
  readonly url: string;
  readonly printer: Printer;
  /** Options of every request: Ctrl-C aborts it. */
  readonly request: RequestOptions;
  /** Waits for requests, and shows what for if it takes long. */
  wait<T>(step: string, work: () => PromiseLike<T>): Promise<T>;
}

/** Runs a command with the client of the user. */
export async function runCommand(
  context: Context,
  command: Command,
  work: (run: Run) => Promise<void>,
): Promise<void> {
  const { json, maxWait } = command.opts<CommonOptions>();
  const { url, apiKey } = readCredentials(context);
  const { fetch, signal, stderr } = context;
  const client = new PetstoreClient({
    baseUrl: url,
    apiKey,
    fetch,
    userAgent: AGENT,
    maxWaitMs: maxWait * 1_000,
    ...(maxWait === 0 && { maxRetries: 0 }),
  });
  const waiting = new Waiting(
    stderr.isTTY && !json ? stderr : undefined,
    () => client.rateLimits.blockedSeconds,
  );
  try {
    await work({
      context,
      client,
      url: plainAddress(url),
      printer: new Printer(context, json === true),
      request: { signal },
      wait: (step, of) => waiting.during(step, of),
    });
  } catch (error) {
    if (signal.aborted) throw new Interruption();
    throw error;
  }
}
