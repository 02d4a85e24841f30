/** A stranger's words for a terminal: no control character of theirs may move its cursor or colour its screen. */
export const printable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what must not pass
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
