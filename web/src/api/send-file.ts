/**
 * Sends a file like `fetch`, which cannot report how much of a body is sent.
 * @throws TypeError when the service is not reached, or the reason of the signal.
 */
export function sendFile(
  url: string,
  { method = 'POST', headers, body, signal }: RequestInit & { readonly headers: Record<string, string> },
  onSent: (bytes: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    // An event of an earlier abort does not come any more.
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      const lines = request.getAllResponseHeaders().trim().split('\r\n');
      const received = lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      });
      resolve(new Response(request.responseText, { status: request.status, headers: received }));
    };
    request.onerror = () => reject(new TypeError('The service was not reached.'));
    request.onabort = () => reject(signal?.reason ?? new TypeError('The upload was aborted.'));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body as Blob);
  });
}
