import assert from 'node:assert/strict';
import { test } from 'node:test';

type SendFile = (
  url: string,
  request: RequestInit & { readonly headers: Record<string, string> },
  onSent: (bytes: number) => void,
) => Promise<Response>;

/** By its address, because the module uses types of browsers. */
const { sendFile } = (await import(new URL('../src/api/send-file.ts', import.meta.url).href)) as {
  readonly sendFile: SendFile;
};

test('a file whose upload was aborted before it began is not sent', async () => {
  const reason = new Error('The page was left.');
  const sending = sendFile(
    'http://127.0.0.1:9/',
    { headers: {}, body: 'petId\n', signal: AbortSignal.abort(reason) },
    () => assert.fail('nothing is sent'),
  );
  // Node has no XMLHttpRequest: to begin would be another error.
  await assert.rejects(sending, (error) => error === reason);
});
