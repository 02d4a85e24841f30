/** Lines of what COPY writes as CSV. Returns how many there were. */
export async function* copiedCsv(copied: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array, number, void> {
  const lines = new RfcLines()
  for await (const chunk of copied) yield lines.ended(chunk)
  return lines.count
}

/** COPY ends a line by a line feed alone, RFC 4180 by two signs. One within quotes belongs to its cell and stays as it is. */
class RfcLines {
  count = 0
  private isQuoted = false

  /**
   * The next piece of the same text; it may begin and end anywhere, for none of these signs is part of another in UTF-8. As one sign
   * a byte, since every byte of a large file comes through here, and the engine's own search takes half the time of a loop.
   */
  ended(piece: Buffer): Uint8Array {
    const text = piece.toString('latin1')
    const { hasFeed, isQuoted } = quotesOf(text, this.isQuoted)
    const ended = hasFeed ? endedOutside(text, this.isQuoted) : withEnds(text)
    this.count += ended.length - text.length
    this.isQuoted = isQuoted
    const made = Buffer.allocUnsafe(ended.length)
    made.write(ended, 'latin1')
    return made
  }
}

const withEnds = (text: string) => text.replaceAll('\n', '\r\n')

const endedOutside = (text: string, isQuoted: boolean) =>
  text
    .split('"')
    .map((section, at) => ((at % 2 === 1) === isQuoted ? withEnds(section) : section))
    .join('"')

/** Whether a line feed stands within quotes, which is rare, and whether the text ends within them. Goes from one to the next. */
function quotesOf(text: string, wasQuoted: boolean): { hasFeed: boolean; isQuoted: boolean } {
  let hasFeed = false
  let feed = text.indexOf('\n')
  let opening = wasQuoted ? -1 : text.indexOf('"')
  if (!wasQuoted && opening === -1) return { hasFeed, isQuoted: false }
  for (;;) {
    const closing = text.indexOf('"', opening + 1)
    // Only onwards: looked for from the start of each cell, a text without any would be read to its end every time.
    if (feed !== -1 && feed < opening) feed = text.indexOf('\n', opening)
    hasFeed ||= feed !== -1 && (closing === -1 || feed < closing)
    if (closing === -1) return { hasFeed, isQuoted: true }
    opening = text.indexOf('"', closing + 1)
    if (opening === -1) return { hasFeed, isQuoted: false }
  }
}
