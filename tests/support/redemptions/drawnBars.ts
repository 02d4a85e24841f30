import { seededRandom } from '../../../server/demo/demoVouchers.ts'
import type { Picture } from '../../../src/features/redemptions/camera/Decode.ts'
import { ean13Modules } from '../../../src/ui/Ean13.tsx'
import { anySerial } from './counterPhotographs.ts'
import { greyPicture, PHOTOGRAPH, throughJpeg } from './photograph.ts'

const { width: WIDTH, height: HEIGHT } = PHOTOGRAPH
const BARS_HEIGHT = 230
/** The steps in which a pixel is measured: bars do not begin where pixels do. */
const STEPS = 16

export interface DrawnBars {
  serial: string
  /** The pixels of a module. */
  module: number
  jpeg: number | undefined
  picture: Picture
}

/** Draws clean bars of random vouchers with 1.2 to 6 pixels a module. Every fifth is stored as a JPEG. Every second has about 4 pixels a module, so that a picture of a third of the size has hardly one. */
export async function* drawnBars(count: number, seed: number): AsyncGenerator<DrawnBars> {
  const random = seededRandom(seed)
  for (let at = 0; at < count; at++) {
    const serial = anySerial(random)
    const module = at % 2 === 0 ? 3.5 + random() : 1.2 + random() * 4.8
    const row = drawRow(serial, module, random())
    const jpeg = at % 5 === 0 ? Math.round(20 + random() * 70) : undefined
    yield { serial, module, jpeg, picture: await pictureOf(row, jpeg) }
  }
}

/** Returns a row in which each pixel is as dark as the part of it that bars cover. */
function drawRow(serial: string, module: number, offset: number): Buffer {
  const bars = ean13Modules(serial)
  const left = (WIDTH - bars.length * module) / 2 + offset
  return Buffer.from(
    Array.from({ length: WIDTH }, (_, x) => {
      let dark = 0
      for (let step = 0; step < STEPS; step++) {
        if (bars[Math.floor((x + (step + 0.5) / STEPS - left) / module)] === '1') dark += 1
      }
      return 255 - Math.round((255 * dark) / STEPS)
    }),
  )
}

async function pictureOf(row: Buffer, jpeg: number | undefined): Promise<Picture> {
  const grey = Buffer.alloc(WIDTH * HEIGHT, 255)
  for (let y = 0; y < BARS_HEIGHT; y++) row.copy(grey, (y + (HEIGHT - BARS_HEIGHT) / 2) * WIDTH)
  return greyPicture(jpeg === undefined ? grey : await throughJpeg(grey, jpeg))
}
