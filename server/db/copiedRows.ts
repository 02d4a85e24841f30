import type { TextRow } from './RowSource.ts'

/** Rows of what COPY writes as text, which is three times as fast as a cursor. */
export async function* copiedRows(copied: AsyncIterable<Uint8Array>): AsyncGenerator<TextRow[], void, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of copied) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines.map(toRow)
  }
}

/** A line of COPY's text format: tabs between, a backslash before whatever would be taken for something else. */
const toRow = (line: string): TextRow => {
  const cells = line.split('\t')
  return line.includes('\\') ? cells.map(unescaped) : cells
}

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const unescaped = (cell: string) => cell.replaceAll(/\\(.)/gs, (_, sign: string) => ESCAPES[sign] ?? sign)
