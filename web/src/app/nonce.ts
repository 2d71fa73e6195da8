declare global {
  var __webpack_nonce__: string | undefined;
}

/** The nonce of the Content-Security-Policy, which the service writes into the page; styles without it are refused. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// Libraries that add styles read it here.
globalThis.__webpack_nonce__ = nonce;
