import { LIMITS } from '../../contract/limits.ts'
import { formatBytes } from '../../domain/bytes.ts'

/** The text of a file, or why there is none, in words for the person who chose it. */
export type ReadText = { text: string; notes: string[] } | { trouble: string }

const BYTES = LIMITS.importMb * 1_048_576

/** Reads a file as text, whatever program wrote it. The size is looked at before the file is. */
export async function readText(file: File): Promise<ReadText> {
  if (file.size === 0) return { trouble: `${file.name} is empty.` }
  if (file.size > BYTES) {
    return { trouble: `${file.name} has ${formatBytes(file.size)}. A file may have at most ${LIMITS.importMb} MB.` }
  }
  const bytes = await file.arrayBuffer().catch(() => undefined)
  if (!bytes) return { trouble: `${file.name} could not be read. Choose it again.` }
  return decodeText(new Uint8Array(bytes))
}

/** Text in UTF-8, in UTF-16 with its mark, or else in the code page of Windows in the West. */
export function decodeText(bytes: Uint8Array): ReadText {
  const utf16 = utf16Of(bytes)
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), notes: [] }
  if (isSpreadsheet(bytes)) {
    return { trouble: 'This is an Excel file. Save it as CSV ("CSV UTF-8") and choose that file.' }
  }
  if (bytes.includes(0)) return { trouble: 'This is not a text file. Choose a CSV file.' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), notes: [] }
  } catch {
    const notes = ['The file is not in UTF-8. It was read as Windows-1252: check names with accents.']
    return { text: new TextDecoder('windows-1252').decode(bytes), notes }
  }
}

function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/** A zip, which .xlsx is, or the older container of .xls. */
const MAGIC = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]
const isSpreadsheet = (bytes: Uint8Array) => MAGIC.some((magic) => magic.every((byte, index) => bytes[index] === byte))
