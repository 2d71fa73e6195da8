import { Fragment } from 'react';

/** A text such as a URL, which breaks after its separators rather than inside a word. */
export function Breakable({ text }: { text: string }) {
  let at = 0;
  return text.split(/(?<=[./?&=_-])/).map((part) => {
    at += part.length;
    return (
      <Fragment key={at}>
        {part}
        <wbr />
      </Fragment>
    );
  });
}
