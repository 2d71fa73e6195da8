import { createInterface } from 'node:readline';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import type { Command } from 'commander';
import { PetstoreClient, type RateLimit } from '../../src/index.ts';
import { addCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure, Interruption } from '../failure.ts';
import { AGENT } from '../run.ts';
import { Printer } from '../terminal/printer.ts';
import { deleteLogin, type Login, writeLogin } from './config-file.ts';
import { KEY_VARIABLE } from './credentials.ts';
import { isAddress, schemeAdvice } from './address.ts';

const LOCAL = 'http://localhost:8080';

/** Adds the commands that keep and forget a key. */
export function addLogin(program: Command, context: Context): void {
  addCommand(program, 'login', {
    summary: 'keep the address of a service and an API key for it',
    notes:
      'The key is checked against the service, and kept in a file that only you can read. On a terminal the command asks ' +
      'for what is missing and shows no key; otherwise it reads the key from standard input. PETSTORE_URL and ' +
      'PETSTORE_API_KEY take precedence over the file.',
    examples: ['login', 'login https://stock.example.com < key-file'],
    isLocal: true,
  })
    .argument('[url]', 'the address of the service')
    .option('--url <url>', 'the same')
    .action(async (argument: string | undefined, options: { json?: true; url?: string }) => {
      const { json, url = argument } = options;
      const login = await readInput(context, url);
      const { plan, ban } = await check(context, login);
      const file = writeLogin(context, login);
      const isShadowed = Boolean(context.env[KEY_VARIABLE]);
      const text = [
        `The key works at ${safe(login.url)} (plan ${safe(plan)}). It is kept in ${file}, which only you can read.`,
        ...(ban ? [`It is banned until ${new Date(ban.until * 1_000).toISOString()}.`] : []),
        ...(isShadowed ? [`${KEY_VARIABLE} is set, and is used instead.`] : []),
      ].join('\n');
      await new Printer(context, json === true).print({ url: login.url, plan, file }, text);
    });
  addCommand(program, 'logout', {
    summary: 'forget the kept key',
    notes: 'The key itself stays valid; the operator of the service can revoke it.',
    examples: ['logout'],
    isLocal: true,
  }).action(async ({ json }: { json?: true }) => {
    const wasLoggedIn = deleteLogin(context);
    const text = wasLoggedIn ? 'The key is forgotten.' : 'There was no key to forget.';
    await new Printer(context, json === true).print({ wasLoggedIn }, text);
  });
}

/** The address and the key, from the terminal or from standard input. */
async function readInput(context: Context, url: string | undefined): Promise<Login> {
  const isInteractive = context.stdin.isTTY === true && context.stderr.isTTY === true;
  if (!isInteractive) {
    if (url === undefined) {
      throw new CommandFailure(
        'Name the address: petstore login <url>, with the key on standard input.',
        EXIT.wrongUsage,
      );
    }
    return checked({ url, apiKey: await firstLine(context) });
  }
  const { isCancel, password, text } = await import('@clack/prompts');
  // Standard output is for results.
  const streams = { input: context.stdin, output: context.stderr };
  const answer = async (asked: Promise<string | symbol>): Promise<string> => {
    const given = await asked;
    if (isCancel(given)) throw new Interruption();
    return String(given).trim();
  };
  const address =
    url ??
    (await answer(
      text({ ...streams, message: 'Address of the service', defaultValue: LOCAL, placeholder: LOCAL }),
    ));
  const apiKey = await answer(password({ ...streams, message: 'API key (psk_…)' }));
  return checked({ url: address, apiKey });
}

async function firstLine({ stdin }: Context): Promise<string> {
  const lines = createInterface({ input: stdin });
  for await (const line of lines) {
    lines.close();
    return line.trim();
  }
  return '';
}

/** @throws CommandFailure for what cannot be an address or a key, before it is sent anywhere. */
function checked({ url, apiKey }: Login): Login {
  if (!/^https?:\/\/./i.test(url.trim())) {
    throw new CommandFailure(
      `The address must begin with https:// or http://.${schemeAdvice(url.trim())}`,
      EXIT.wrongUsage,
    );
  }
  if (!isAddress(url.trim())) {
    throw new CommandFailure(
      'The address must be whole, such as https://stock.example.com, with a name or number of a host, and without a query and a password.',
      EXIT.wrongUsage,
    );
  }
  if (/^psk_(?:live|test)_\w{16,}$/.test(apiKey)) return { url: url.trim().replace(/\/+$/, ''), apiKey };
  const reason = apiKey.startsWith('psa_')
    ? 'That is a management key; this program needs an API key, which begins with psk_.'
    : 'That is not an API key: one begins with psk_live_ or psk_test_.';
  throw new CommandFailure(`${reason} Nothing was sent.`, EXIT.wrongUsage);
}

/** @throws PetstoreError if the service does not accept the key. */
function check({ fetch, signal, stderr }: Context, { url, apiKey }: Login): Promise<RateLimit> {
  const client = new PetstoreClient({ baseUrl: url, apiKey, fetch, userAgent: AGENT, maxRetries: 1 });
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) {
    stderr.write('warning: http sends the key unencrypted. Use https, except in a network that you trust.\n');
  }
  return client.getRateLimit({ signal });
}
