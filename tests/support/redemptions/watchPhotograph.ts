import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule } from 'zxing-wasm/reader'
import { CodeReading } from '../../../src/features/redemptions/camera/CodeReading.ts'
import type { Picture } from '../../../src/features/redemptions/camera/Decode.ts'
import {
  SampleCycle,
  visiblePart,
  type PictureSample,
  type Size,
} from '../../../src/features/redemptions/camera/pictureSamples.ts'
import { readCodes } from '../../../src/features/redemptions/camera/readCodes.ts'

/** The size of the camera picture at the counter, on a screen of 1280 × 800. */
const BOX = { width: 776, height: 551 }
const SAMPLE_EVERY_MS = 100

/** Loads the reader's program from this machine: by default the library fetches it from a public network. */
export function prepareReader(): void {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(readFileSync(wasm)).buffer } })
}

/**
 * Returns the codes that the counter's camera reports for a still picture. The steps and the reader are the product's own; only the canvas of the
 * browser is missing, and `drawSample` replaces it.
 */
export async function watchPhotograph(
  picture: Picture,
  { samples, untilFirst = false }: { samples: number; untilFirst?: boolean },
) {
  const reading = new CodeReading()
  const cycle = new SampleCycle()
  const part = visiblePart(picture, BOX)
  const codes: string[] = []
  for (let count = 0; count < samples; count++) {
    const { name, sample } = cycle.next(part)
    const sightings = await readCodes(drawSample(picture, part, sample), sample.treatment)
    if (sightings.length === 0) cycle.foundNothing()
    const read = reading.see(sightings, 10_000 + count * SAMPLE_EVERY_MS, name)
    if (read && 'code' in read) codes.push(read.code)
    if (untilFirst && codes.length > 0) break
  }
  return codes
}

/** Draws as `drawImage` does: each pixel is a mix of the four nearest. Everything outside the visible part is black. */
function drawSample(picture: Picture, part: Size, { width, height, turn, scale }: PictureSample): Picture {
  const [wide, high] = [Math.round(width * scale), Math.round(height * scale)]
  const data = new Uint8ClampedArray(wide * high * 4)
  const angle = (turn * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle) / scale, Math.sin(angle) / scale]
  const [right, bottom] = [Math.min(part.width, picture.width - 1) / 2, Math.min(part.height, picture.height - 1) / 2]
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const dx = x + 0.5 - wide / 2
      const dy = y + 0.5 - high / 2
      const u = dx * cos - dy * sin
      const v = dx * sin + dy * cos
      if (u < -right || u > right || v < -bottom || v > bottom) continue
      const grey = between(picture, u + picture.width / 2 - 0.5, v + picture.height / 2 - 0.5)
      const at = (y * wide + x) * 4
      data[at] = data[at + 1] = data[at + 2] = grey
      data[at + 3] = 255
    }
  }
  return { data, width: wide, height: high }
}

/** Returns one colour for all three, because the photographs are grey. */
function between({ data, width, height }: Picture, x: number, y: number): number {
  const left = Math.max(0, Math.min(width - 2, Math.floor(x)))
  const top = Math.max(0, Math.min(height - 2, Math.floor(y)))
  const u = x - left
  const v = y - top
  const at = (top * width + left) * 4
  const below = at + width * 4
  const upper = data[at]! * (1 - u) + data[at + 4]! * u
  return upper * (1 - v) + (data[below]! * (1 - u) + data[below + 4]! * u) * v
}
