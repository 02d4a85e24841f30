/** Lines of what COPY writes as CSV. Returns how many there were. */
export async function* copiedCsv(copied: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, number, void> {
  const lines = new RfcLines()
  for await (const chunk of copied) yield lines.ended(chunk)
  return lines.count
}

const QUOTE = 0x22
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** COPY ends a line by a line feed alone, RFC 4180 by two signs. One within quotes belongs to its cell and stays as it is. */
class RfcLines {
  count = 0
  private isQuoted = false

  /** The next piece of the same text; it may begin and end anywhere, for none of these bytes is part of another sign in UTF-8. */
  ended(piece: Uint8Array): Uint8Array {
    const made = Buffer.allocUnsafe(piece.length + feedsIn(piece))
    let { count, isQuoted } = this
    let length = 0
    // By index and with locals: every byte of a large file comes through here, and an iterator takes several times as long.
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at]!
      if (byte === QUOTE) isQuoted = !isQuoted
      else if (byte === LINE_FEED && !isQuoted) {
        made[length++] = CARRIAGE_RETURN
        count += 1
      }
      made[length++] = byte
    }
    this.count = count
    this.isQuoted = isQuoted
    return made.subarray(0, length)
  }
}

/** Room for one more sign each: no more memory than the file needs, at the price of a second look. */
function feedsIn(piece: Uint8Array): number {
  let feeds = 0
  for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) feeds += 1
  return feeds
}
