/** The largest body we know, a hundred branches of an import, has three thousand. */
const MOST_PARTS = 20_000
const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Buffer.from('"\\,[{')

/**
 * Whether the JSON in `bytes` has more fields and items than any form of ours. Asked before it is parsed: a megabyte of single
 * digits becomes eighty of memory, and holds the event loop for the better part of a second (cases TBL-08).
 */
export function hasTooManyParts(bytes: Uint8Array): boolean {
  let parts = 0
  let isText = false
  for (let at = 0; at < bytes.length && parts <= MOST_PARTS; at += 1) {
    const byte = bytes[at]
    if (isText && byte === BACKSLASH) at += 1
    else if (byte === QUOTE) isText = !isText
    else if (!isText && (byte === COMMA || byte === BRACKET || byte === BRACE)) parts += 1
  }
  return parts > MOST_PARTS
}
