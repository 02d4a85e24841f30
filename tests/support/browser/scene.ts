import bwipjs from 'bwip-js/node'
import sharp from 'sharp'
import { seededRandom } from '../../../server/demo/demoVouchers.ts'

const SCENE = { width: 1280, height: 720 }

type Printed = ({ kind: 'ean13' | 'qrcode'; text: string } | { kind: 'picture'; png: Buffer }) & {
  left?: number
  top?: number
}

export interface Scene {
  /** The codes on the table, drawn as on the voucher sheet. Without codes the table is empty. */
  codes?: Printed[]
  /** Size of the codes; 1 is a voucher held inside the frame. */
  size?: number
  /** Standard deviation of the lens blur, in pixels. */
  blur?: number
  /** Degrees, clockwise. */
  rotate?: number
  /** 1 is a bright shop. The darker it is, the more the noise of the sensor shows. */
  light?: number
}

/** Pixels in the picture. */
const WIDTHS = { ean13: 420, qrcode: 240, picture: 760 }
const TABLE = { r: 150, g: 140, b: 125 }

/** Returns the picture of a camera, as a JPEG. */
export async function drawScene({ codes = [], size = 1, blur, rotate = 0, light = 1 }: Scene): Promise<Buffer> {
  const printed = await Promise.all(codes.map((code) => print(code, Math.round(WIDTHS[code.kind] * size), rotate)))
  const placed = await Promise.all(printed.map((input, index) => place(input, codes[index]!)))
  const table = sharp({ create: { ...SCENE, channels: 3, background: TABLE } }).composite(placed)
  const seen = sharp(await table.png().toBuffer())
  if (blur) seen.blur(blur)
  if (light < 1) seen.linear(light, 0)
  const { data, info } = await seen.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  if (light < 1) addNoise(data, 6)
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer()
}

/** Draws a code on white paper, which is also its quiet zone. */
async function print(printed: Printed, width: number, rotate: number): Promise<Buffer> {
  const code = printed.kind === 'picture' ? printed.png : await draw(printed)
  const margin = Math.round(width / 8)
  const paper = await sharp(code)
    .resize({ width })
    .flatten({ background: 'white' })
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background: 'white' })
    .png()
    .toBuffer()
  return sharp(paper).rotate(rotate, { background: TABLE }).png().toBuffer()
}

const draw = ({ kind, text }: { kind: 'ean13' | 'qrcode'; text: string }) =>
  bwipjs.toBuffer({ bcid: kind, text, scale: 8, ...(kind === 'ean13' ? { height: 18 } : {}) })

async function place(input: Buffer, { left, top }: { left?: number; top?: number }) {
  const { width, height } = await sharp(input).metadata()
  return {
    input,
    left: left ?? Math.round((SCENE.width - width) / 2),
    top: top ?? Math.round((SCENE.height - height) / 2),
  }
}

function addNoise(pixels: Buffer, strength: number) {
  const random = seededRandom(1)
  for (let at = 0; at < pixels.length; at++) {
    pixels[at] = Math.max(0, Math.min(255, pixels[at]! + Math.round((random() + random() + random() - 1.5) * strength)))
  }
}
