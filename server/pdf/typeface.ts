import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'

export const BOLD = 'bold'
export const PLAIN = 'plain'

const FILES = {
  [PLAIN]: import.meta
    .resolve('@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-400-normal.woff'),
  [BOLD]: import.meta
    .resolve('@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-600-normal.woff'),
}

const fonts = new Map<string, Buffer>()

/** Registers the portal's typeface with a PDF, under the names BOLD and PLAIN. */
export function registerTypeface(pdf: PDFKit.PDFDocument): void {
  for (const [name, file] of Object.entries(FILES)) {
    const font = fonts.get(name) ?? unpack(readFileSync(fileURLToPath(file)))
    fonts.set(name, font)
    pdf.registerFont(name, font)
  }
}

/** Unpacks a WOFF file. From a packed one PDFKit would inflate the whole table of outlines for each letter. */
function unpack(woff: Buffer): Buffer {
  const tables = Array.from({ length: woff.readUInt16BE(12) }, (_, index) => {
    const entry = woff.subarray(44 + 20 * index)
    const [offset, packed, length] = [4, 8, 12].map((at) => entry.readUInt32BE(at)) as [number, number, number]
    const body = woff.subarray(offset, offset + packed)
    return { entry, bytes: packed < length ? inflateSync(body) : body }
  })
  const head = Buffer.alloc(12 + 16 * tables.length)
  // The kind of outlines, and the number of tables.
  woff.copy(head, 0, 4, 8)
  woff.copy(head, 4, 12, 14)
  let end = head.length
  for (const [index, { entry, bytes }] of tables.entries()) {
    const at = 12 + 16 * index
    entry.copy(head, at, 0, 4)
    entry.copy(head, at + 4, 16, 20)
    head.writeUInt32BE(end, at + 8)
    head.writeUInt32BE(bytes.length, at + 12)
    end += bytes.length
  }
  return Buffer.concat([head, ...tables.map(({ bytes }) => bytes)])
}
