/** Reads RFC 4180 with code of its own, so that the tests do not share code with the writer. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [[]]
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy
  for (let match = pattern.exec(text); match && match.index < text.length; match = pattern.exec(text)) {
    lines.at(-1)!.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === '\r\n') lines.push([])
  }
  if (lines.at(-1)?.length === 0) lines.pop()
  return lines
}

const END = '\r\n"End of file"\r\n'

/** Reads a CSV that the server has sent. @throws Error when its end mark is missing */
export function parseSentCsv(text: string): string[][] {
  if (!text.endsWith(END)) throw new Error(`the file has no end mark: …${text.slice(-100)}`)
  return parseCsv(text.slice(0, -END.length + 2))
}
