/** A reference and a list of one or two texts take one line each. No string of JSON has a line break, so none matches inside one. */
const REFERENCE = /\{\n *("\$ref": "[^"\n]*")\n *\}/g;
const LIST_OF_ONE = /\[\n *("[^"\n]*")\n *\]/g;
const LIST_OF_TWO = /\[\n *("[^"\n]*"),\n *("[^"\n]*")\n *\]/g;

/** The document as text, with two spaces per level. */
export function documentText(document: object): string {
  return JSON.stringify(document, undefined, 2)
    .replaceAll(REFERENCE, '{ $1 }')
    .replaceAll(LIST_OF_ONE, '[$1]')
    .replaceAll(LIST_OF_TWO, '[$1, $2]');
}
