/** A URL, or its beginning, which a person may still be typing. */
const URL_BEGINNING = /^(?:h|ht|htt|http|https|https?:|https?:\/|https?:\/\/.*)$/i;

/** Whether the service may take it: absolute, with a host, and without a name or a password. */
export function isWholeUrl(text: string): boolean {
  if (!/^https?:\/\/./i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** Whether no more letters make a URL of it. */
export function isWrongUrl(text: string): boolean {
  return text !== '' && !isWholeUrl(text) && (!URL_BEGINNING.test(text) || /^https?:\/\/./i.test(text));
}
