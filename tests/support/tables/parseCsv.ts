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
