import { readBarcodes, type ReaderOptions, type ReadResult } from 'zxing-wasm/reader'
import type { Picture, Sighting, Treatment } from './Decode.ts'

const OPTIONS: ReaderOptions = {
  formats: ['EAN13', 'QRCode'],
  // Nearly all vouchers are dark on light, and trying the opposite doubles the time. The treatment `negative` does it once a second.
  tryInvert: false,
  // In a picture of a third of the size a bar is hardly a pixel wide, and every line of pixels seems to show another number.
  tryDownscale: false,
  // A second voucher beside the first must be noticed.
  maxNumberOfSymbols: 4,
}

/** A misread number is seen on few lines of pixels, a correct number on at least these. */
const LEAST_LINES = 8
/** With fewer pixels for each module, every line of pixels seems to show another number. */
const LEAST_PIXELS_PER_MODULE = 1.5
/** The width of an EAN-13. */
const EAN13_MODULES = 95

/** Reads a picture with the bundled library, whose program must be loaded. It may change the picture's pixels. */
export async function readCodes(picture: Picture, treatment?: Treatment): Promise<Sighting[]> {
  if (treatment) treat(picture, treatment)
  const binarizer = treatment?.is === 'flat' ? 'FixedThreshold' : 'LocalAverage'
  const found = await readBarcodes(picture as ImageData, { ...OPTIONS, binarizer })
  return found
    .filter(isReliable)
    .filter((code) => !found.some((other) => isMisreadWithin(code, other)))
    .map(({ format, text }) => ({ kind: format === 'EAN13' ? 'ean13' : 'qr', text }))
}

const isReliable = ({ format, lineCount, position }: ReadResult) =>
  format !== 'EAN13' || (lineCount >= LEAST_LINES && widthOf(position) >= LEAST_PIXELS_PER_MODULE * EAN13_MODULES)

const widthOf = ({ topLeft, topRight }: ReadResult['position']) =>
  Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y)

/** True for misread bars: inside a QR code, or inside another EAN-13 that was seen on more lines. */
function isMisreadWithin(code: ReadResult, other: ReadResult): boolean {
  if (code === other || code.format !== 'EAN13') return false
  if (other.format === 'EAN13' && other.lineCount <= code.lineCount) return false
  const { left, right, top, bottom } = outlineOf(other.position)
  const inner = outlineOf(code.position)
  const [x, y] = [(inner.left + inner.right) / 2, (inner.top + inner.bottom) / 2]
  return x > left && x < right && y > top && y < bottom
}

function outlineOf({ topLeft, topRight, bottomLeft, bottomRight }: ReadResult['position']) {
  const corners = [topLeft, topRight, bottomLeft, bottomRight]
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

function treat(picture: Picture, treatment: Treatment): void {
  if (treatment.is === 'negative') invert(picture)
  else flatten(picture, treatment.around)
}

/** The bits of a pixel that hold its colours, without its opacity. */
const COLOUR_BITS = 0x00_ff_ff_ff

function invert({ data }: Picture): void {
  const pixels = new Uint32Array(data.buffer)
  for (let at = 0; at < pixels.length; at++) pixels[at]! ^= COLOUR_BITS
}

/** In grey levels of 0 to 255: a smaller difference is noise on even paper. */
const LEAST_CONTRAST = 2

function flatten({ data, width, height }: Picture, around: number): void {
  const grey = new Float32Array(width * height)
  for (let at = 0; at < grey.length; at++) grey[at] = (data[at * 4]! + 2 * data[at * 4 + 1]! + data[at * 4 + 2]!) / 4
  const rows = { length: width, lines: height, step: 1, next: width }
  const columns = { length: height, lines: width, step: width, next: 1 }
  const mean = averaged(averaged(grey, around, rows), around, columns)
  for (let at = 0; at < grey.length; at++) {
    const value = grey[at]! > mean[at]! - LEAST_CONTRAST ? 255 : 0
    data[at * 4] = data[at * 4 + 1] = data[at * 4 + 2] = value
  }
}

interface Lines {
  /** The number of values in a line. */
  length: number
  /** The number of lines. */
  lines: number
  /** The distance between two values of a line in memory. */
  step: number
  /** The distance between two lines in memory. */
  next: number
}

/** Averages each value with its neighbours in its line. */
function averaged(values: Float32Array, around: number, { length, lines, step, next }: Lines): Float32Array {
  const means = new Float32Array(values.length)
  for (let line = 0; line < lines; line++) {
    const start = line * next
    let sum = 0
    let count = 0
    for (let at = -around; at < length; at++) {
      const entering = at + around
      const leaving = at - around - 1
      if (entering < length) {
        sum += values[start + entering * step]!
        count++
      }
      if (leaving >= 0) {
        sum -= values[start + leaving * step]!
        count--
      }
      if (at >= 0) means[start + at * step] = sum / count
    }
  }
  return means
}
