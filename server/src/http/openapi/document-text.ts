/** A reference takes one line: `{ "$ref": "…" }`. No string of JSON has a line break, so this never matches inside one. */
const REFERENCE = /\{\n *("\$ref": "[^"\n]*")\n *\}/g;

/** The document as text, with two spaces per level. */
export function documentText(document: object): string {
  return JSON.stringify(document, undefined, 2).replaceAll(REFERENCE, '{ $1 }');
}
