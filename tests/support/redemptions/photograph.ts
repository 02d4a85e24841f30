import { correction, generate } from 'lean-qr'
import { seededRandom } from '../../../server/demo/demoVouchers.ts'
import type { Picture } from '../../../src/features/redemptions/camera/Decode.ts'
import { ean13Modules } from '../../../src/ui/Ean13.tsx'

/** One code on its own piece of paper, or on a screen. */
export interface ShownCode {
  kind: 'ean13' | 'qr'
  text: string
  /** Pixels of the picture that a module takes. */
  module: number
  /** Its middle, relative to the middle of the picture. */
  at?: [number, number]
  /** Degrees, clockwise. */
  turn?: number
  /** Reflectance of ink and paper. Swapped, they give white on black. */
  ink?: number
  paper?: number
}

/** The codes in the picture, and the effects of the lens, the sensor and the light. */
export interface Photograph {
  codes: ShownCode[]
  /** Standard deviation of the lens blur, in pixels. */
  blur?: number
  /** 1 is a bright shop. */
  light?: number
  /** Noise of the sensor, as a share of white. */
  noise?: number
}

const PHOTOGRAPH = { width: 1280, height: 720 }

const { width: WIDTH, height: HEIGHT } = PHOTOGRAPH
const TABLE = 0.5
const SAMPLES = [-1 / 3, 0, 1 / 3]

/** Draws a photograph, with the same pixels each time. */
export function photograph(how: Photograph): Picture {
  const random = seededRandom(7)
  let seen: Float32Array = new Float32Array(WIDTH * HEIGHT).fill(TABLE)
  for (const code of how.codes) drawCode(seen, code)
  const { light = 1 } = how
  seen = seen.map((value) => value * light)
  if (how.blur) seen = blurred(seen, how.blur)
  const grey = Buffer.alloc(WIDTH * HEIGHT)
  const noise = how.noise ?? 0.01
  for (let at = 0; at < grey.length; at++) {
    const value = seen[at]! + (random() + random() + random() - 1.5) * 2 * noise
    // Stored as a camera does: sRGB, about the power of 1 / 2.2.
    grey[at] = Math.round(255 * Math.max(0, Math.min(1, value)) ** (1 / 2.2))
  }
  return greyPicture(grey)
}

/** Returns the pixels in the form of a canvas. */
function greyPicture(grey: Buffer): Picture {
  const pixels = Uint32Array.from(grey, (level) => 0xff_00_00_00 | (level * 0x01_01_01))
  return { data: new Uint8ClampedArray(pixels.buffer), width: WIDTH, height: HEIGHT }
}

/** A drawn code. `isDark` takes a place in modules from the upper left corner. */
type Drawn = { width: number; height: number; quiet: number; isDark: (u: number, v: number) => boolean }

function modulesOf({ kind, text }: ShownCode): Drawn {
  if (kind === 'ean13') {
    const bars = ean13Modules(text)
    return { width: 95, height: 50, quiet: 9, isDark: (u, v) => v >= 0 && v < 50 && bars[Math.floor(u)] === '1' }
  }
  const square = generate(text, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
  const isDark = (u: number, v: number) => square.get(Math.floor(u), Math.floor(v))
  return { width: square.size, height: square.size, quiet: 4, isDark }
}

function drawCode(seen: Float32Array, code: ShownCode) {
  const { module, at: [left, top] = [0, 0], turn = 0, ink = 0.04, paper = 0.8 } = code
  const { width, height, quiet, isDark } = modulesOf(code)
  const angle = (turn * Math.PI) / 180
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)]
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    let sum = 0
    let count = 0
    for (const dy of SAMPLES) {
      for (const dx of SAMPLES) {
        const x = (at % WIDTH) + dx - WIDTH / 2 - left
        const y = Math.floor(at / WIDTH) + dy - HEIGHT / 2 - top
        const u = (x * cosine + y * sine) / module + width / 2
        const v = (y * cosine - x * sine) / module + height / 2
        if (u < -quiet || v < -quiet || u > width + quiet || v > height + quiet) continue
        sum += isDark(u, v) ? ink : paper
        count++
      }
    }
    if (count > 0) seen[at] = (sum + seen[at]! * (9 - count)) / 9
  }
}

/** Applies a Gaussian blur, first across, then down. */
function blurred(seen: Float32Array, deviation: number): Float32Array {
  const reach = Math.ceil(deviation * 3)
  const weights = Array.from({ length: reach * 2 + 1 }, (_, at) =>
    Math.exp(-((at - reach) ** 2) / (2 * deviation ** 2)),
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const along = (from: Float32Array, step: number, place: (at: number) => number, end: number) =>
    from.map((_, at) => {
      let sum = 0
      for (let offset = -reach; offset <= reach; offset++) {
        const inside = Math.max(-place(at), Math.min(end - 1 - place(at), offset))
        sum += from[at + inside * step]! * weights[offset + reach]!
      }
      return sum / total
    })
  const across = along(seen, 1, (at) => at % WIDTH, WIDTH)
  return along(across, WIDTH, (at) => Math.floor(at / WIDTH), HEIGHT)
}
