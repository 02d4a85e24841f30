import sharp from 'sharp'

/** A black and white picture, in dots; `true` is black. */
export interface PrintedPicture {
  width: number
  height: number
  dots: boolean[]
}

interface Paper {
  /** Every printed line. Pictures and codes are in brackets between them. */
  lines: string[]
  pictures: PrintedPicture[]
}

const ESC = 0x1b
const FS = 0x1c
const GS = 0x1d

/** Commands that only change the look, by their first two bytes, with the number of bytes that follow. */
const LOOKS: Record<string, number> = {
  [`${ESC} @`]: 0,
  [`${FS} .`]: 0,
  [`${ESC} M`]: 1,
  [`${ESC} E`]: 1,
  [`${ESC} t`]: 1,
  [`${ESC} a`]: 1,
  [`${ESC} 3`]: 1,
  [`${ESC} 2`]: 0,
  [`${GS} h`]: 1,
  [`${GS} w`]: 1,
  [`${GS} H`]: 1,
}

/** Reads `bytes` as a printer with ESC/POS does. Throws for an unknown command and for text that is not ASCII, which a printer prints as rubbish. */
export function readEscPos(bytes: Uint8Array): Paper {
  const paper: Paper = { lines: [], pictures: [] }
  let text = ''
  let at = 0
  const word = () => bytes[at++]! + 256 * bytes[at++]!
  const endLine = () => {
    paper.lines.push(text.trimEnd())
    text = ''
  }
  const readRaster = () => {
    at += 2
    const width = word() * 8
    const height = word()
    const dots = Array.from({ length: width * height }, (_, dot) => {
      const byte = bytes[at + Math.floor(dot / 8)]!
      return ((byte >> (7 - (dot % 8))) & 1) === 1
    })
    at += (width / 8) * height
    paper.pictures.push({ width, height, dots })
    text += `[picture ${width} x ${height}]`
  }
  const readSquare = () => {
    at++
    const length = word()
    const [, purpose, , ...data] = bytes.slice(at, at + length)
    if (purpose === 0x50) text += `[square ${String.fromCharCode(...data)}]`
    at += length
  }
  const readCut = () => {
    at++
    text += '[cut]'
  }
  const readBars = () => {
    const end = bytes.indexOf(0, ++at)
    text += `[bars ${String.fromCharCode(...bytes.slice(at, end))}]`
    at = end + 1
  }
  while (at < bytes.length) {
    const byte = bytes[at]!
    if (byte === ESC || byte === FS || byte === GS) {
      const command = `${byte} ${String.fromCharCode(bytes[at + 1]!)}`
      at += 2
      if (command === `${GS} v`) readRaster()
      else if (command === `${GS} (`) readSquare()
      else if (command === `${GS} k`) readBars()
      else if (command === `${GS} V`) readCut()
      else if (LOOKS[command] !== undefined) at += LOOKS[command]
      else throw new Error(`Unknown command ${command} at ${at - 2}`)
    } else {
      at++
      if (byte === 0x0a) endLine()
      else if (byte >= 0x20 && byte < 0x7f) text += String.fromCharCode(byte)
      else if (byte !== 0x0d) throw new Error(`Byte ${byte} at ${at - 1} is not on every code page`)
    }
  }
  if (text) endLine()
  return paper
}

/** Writes the picture to a file, to look at it. */
export const pictureFile = ({ width, height, dots }: PrintedPicture, file: string): Promise<unknown> =>
  sharp(Buffer.from(dots.map((isBlack) => (isBlack ? 0 : 255))), { raw: { width, height, channels: 1 } }).toFile(file)
