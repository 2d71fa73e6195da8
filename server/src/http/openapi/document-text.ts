/** A reference and a short list of texts take one line each. No string of JSON has a line break, so neither matches inside one. */
const REFERENCE = /\{\n *("\$ref": "[^"\n]*")\n *\}/g;
const SHORT_LIST = /\[\n *("[^"\n]{1,40}")(?:,\n *("[^"\n]{1,40}"))?(?:,\n *("[^"\n]{1,40}"))?\n *\]/g;

/** The document as text, with two spaces per level. */
export function documentText(document: object): string {
  return JSON.stringify(document, undefined, 2)
    .replaceAll(REFERENCE, '{ $1 }')
    .replaceAll(
      SHORT_LIST,
      (_, ...items: (string | undefined)[]) => `[${items.slice(0, 3).filter(Boolean).join(', ')}]`,
    );
}
