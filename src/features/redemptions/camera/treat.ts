import type { Picture, Treatment } from './Decode.ts'

/** Changes the pixels of the picture. */
export function treat(picture: Picture, treatment: Treatment): void {
  if (treatment.is === 'negative') invert(picture)
  else flatten(picture, treatment.around)
}

/** A pixel as one number: colours change, what covers stays. */
const COLOURS = 0x00_ff_ff_ff

function invert({ data }: Picture): void {
  const pixels = new Uint32Array(data.buffer)
  for (let at = 0; at < pixels.length; at++) pixels[at]! ^= COLOURS
}

/** Of 255: noise on even paper makes no ink. */
const LEAST_CONTRAST = 2

function flatten({ data, width, height }: Picture, around: number): void {
  const grey = new Float32Array(width * height)
  for (let at = 0; at < grey.length; at++) grey[at] = (data[at * 4]! + 2 * data[at * 4 + 1]! + data[at * 4 + 2]!) / 4
  const mean = averaged(averaged(grey, around, width, height, 1, width), around, height, width, width, 1)
  for (let at = 0; at < grey.length; at++) {
    const value = grey[at]! > mean[at]! - LEAST_CONTRAST ? 255 : 0
    data[at * 4] = data[at * 4 + 1] = data[at * 4 + 2] = value
  }
}

/** The mean of each value's surrounding along lines of `length` values, which are `step` apart in memory, as lines are `next`. */
function averaged(
  values: Float32Array,
  around: number,
  length: number,
  lines: number,
  step: number,
  next: number,
): Float32Array {
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
