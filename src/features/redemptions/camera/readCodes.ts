import { readBarcodes, type ReaderOptions, type ReadResult } from 'zxing-wasm/reader'
import type { Picture, Sighting, Treatment } from './Decode.ts'

const OPTIONS: ReaderOptions = {
  formats: ['EAN13', 'QRCode'],
  // Nearly all vouchers are dark on light; looking for the opposite doubles the time. A treatment does it now and then.
  tryInvert: false,
  // At a third of its size a bar is hardly a pixel wide, and every line of pixels seems to show another number.
  tryDownscale: false,
  // A second voucher beside the first must be noticed.
  maxNumberOfSymbols: 4,
}

/** A misread number is seen on a few lines of pixels. A correct number that can be trusted is seen on more. */
const LEAST_LINES = 8
/** Pixels for each module: with fewer, every line of pixels seems to show another number. */
const LEAST_MODULE = 1.5
const MODULES = 95

/** Reads a picture with the bundled library, whose program must be loaded. It may change the picture's pixels. */
export async function readCodes(picture: Picture, treatment?: Treatment): Promise<Sighting[]> {
  if (treatment) treat(picture, treatment)
  const binarizer = treatment?.is === 'flat' ? 'FixedThreshold' : 'LocalAverage'
  const found = await readBarcodes(picture as ImageData, { ...OPTIONS, binarizer })
  return found
    .filter(isPlain)
    .filter((code) => !found.some((other) => isWithin(code, other)))
    .map(({ format, text }) => ({ kind: format === 'EAN13' ? 'ean13' : 'qr', text }))
}

const isPlain = ({ format, lineCount, position }: ReadResult) =>
  format !== 'EAN13' || (lineCount >= LEAST_LINES && widthOf(position) >= LEAST_MODULE * MODULES)

const widthOf = ({ topLeft, topRight }: ReadResult['position']) =>
  Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y)

/** True for bars inside another code that were seen on fewer lines than that code: they are misread. */
function isWithin(code: ReadResult, other: ReadResult): boolean {
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

/** Changes the pixels of the picture. */
function treat(picture: Picture, treatment: Treatment): void {
  if (treatment.is === 'negative') invert(picture)
  else flatten(picture, treatment.around)
}

/** The mask for a pixel as one number: it inverts the colours and keeps the opacity. */
const COLOURS = 0x00_ff_ff_ff

function invert({ data }: Picture): void {
  const pixels = new Uint32Array(data.buffer)
  for (let at = 0; at < pixels.length; at++) pixels[at]! ^= COLOURS
}

/** A difference of up to 255 grey levels. A smaller one is noise on even paper. */
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
  /** The distance of two values in memory. */
  step: number
  /** The distance of two lines in memory. */
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
