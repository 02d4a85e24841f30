import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule } from 'zxing-wasm/reader'
import { CodeReading } from '../../../src/features/redemptions/camera/CodeReading.ts'
import type { Picture } from '../../../src/features/redemptions/camera/Decode.ts'
import { Looks, seenIn, type Look, type Size } from '../../../src/features/redemptions/camera/looks.ts'
import { readCodes } from '../../../src/features/redemptions/camera/readCodes.ts'

/** Where the counter shows its camera on a screen of 1280 × 800. */
const BOX = { width: 776, height: 551 }
const LOOK_EVERY_MS = 100

/** From this machine: by itself the library would fetch its program from a public network. */
export function prepareReader(): void {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(readFileSync(wasm)).buffer } })
}

/**
 * Everything that the counter's camera reports of a picture in which nothing moves. Looks, reader and judgement are the product's
 * own; only the canvas of a browser is missing here, and what it draws is drawn by `drawLook`.
 */
export async function watchPhotograph(
  picture: Picture,
  { looks, untilFirst = false }: { looks: number; untilFirst?: boolean },
) {
  const reading = new CodeReading()
  const choice = new Looks()
  const part = seenIn(picture, BOX)
  const codes: string[] = []
  for (let count = 0; count < looks; count++) {
    const { name, look } = choice.next(part)
    const sightings = await readCodes(drawLook(picture, part, look), look.treatment)
    if (sightings.length === 0) choice.foundNothing()
    const read = reading.see(sightings, 10_000 + count * LOOK_EVERY_MS, name)
    if (read && 'code' in read) codes.push(read.code)
    if (untilFirst && codes.length > 0) break
  }
  return codes
}

/** As `drawImage` does it: each pixel between the four that are nearest; what the person does not see is black. */
function drawLook(picture: Picture, part: Size, { width, height, turn, scale }: Look): Picture {
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

/** Photographs are grey: one of three colours stands for all. */
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
