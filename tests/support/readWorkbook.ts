import { inflateRawSync } from 'node:zlib'
import readSheets from 'read-excel-file/node'

export type Cell = string | number | Date | null

/** The sheets of a workbook, as a reader of them that is not ours sees them. */
export async function readWorkbook(bytes: Uint8Array): Promise<Cell[][][]> {
  const sheets = await readSheets(Buffer.from(bytes), { trim: false })
  return sheets.map(({ data }) => data as Cell[][])
}

/** A file of the zip as text, by the directory at its end. */
export function partOf(bytes: Uint8Array, path: string): string {
  const zip = Buffer.from(bytes)
  for (let at = zip.indexOf('PK\u0001\u0002'); at >= 0; at = zip.indexOf('PK\u0001\u0002', at + 4)) {
    const nameLength = zip.readUInt16LE(at + 28)
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) !== path) continue
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    return (zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed).toString('utf8')
  }
  throw new Error(`no ${path} in the zip`)
}
