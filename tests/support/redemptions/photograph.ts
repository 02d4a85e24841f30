import { correction, generate } from 'lean-qr'
import sharp from 'sharp'
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
  /** Degrees by which the paper leans away: sideways, backwards. */
  tilt?: [number, number]
  /** Reflectance of ink and paper. Swapped, they give white on black. */
  ink?: number
  paper?: number
  /** Modules by which ink runs into the paper at each edge. Below 0, the printer gave too little ink. */
  spread?: number
  /** Modules of white around the code, if not as many as its standard says. */
  quiet?: number
  /** Pixels by which creases move the paper. */
  creases?: number
  /** The share of columns that a thermal printer with dead dots leaves white. */
  deadDots?: number
}

/** The codes in the picture, and the effects of the lens, the sensor, the light and the shop. */
export interface Photograph {
  codes: ShownCode[]
  /** Standard deviation of the lens blur, in pixels. */
  blur?: number
  /** Pixels that the hand moves while the shutter is open, and the direction in degrees. */
  shake?: [number, number]
  /** 1 is a bright shop. */
  light?: number
  /** Noise of the sensor, as a share of white. */
  noise?: number
  /** Reflections of lamps: their places from the middle of the picture, and their radius. */
  glare?: [number, number, number][]
  /** The share of light that the left edge lacks. */
  shadow?: number
  /** Fingers on the paper: their places from the middle of the picture, and their radius. */
  fingers?: [number, number, number][]
  /** The number of pixels of a phone's screen for each pixel of the camera. */
  screen?: number
  /** JPEG quality. Without it, the pixels are as the sensor saw them. */
  jpeg?: number
}

export const PHOTOGRAPH = { width: 1280, height: 720 }

const { width: WIDTH, height: HEIGHT } = PHOTOGRAPH
const TABLE = 0.5
const FINGER = 0.45
/** The pixels from the lens to the paper. */
const DISTANCE = 1_400
const SAMPLES = [-1 / 3, 0, 1 / 3]

/** Draws a photograph, with the same pixels each time. */
export async function photograph(how: Photograph): Promise<Picture> {
  const random = seededRandom(7)
  let seen: Float32Array = new Float32Array(WIDTH * HEIGHT).fill(TABLE)
  for (const code of how.codes) drawCode(seen, code, how.screen)
  for (const [x, y, radius] of how.fingers ?? []) drawFinger(seen, x, y, radius)
  light(seen, how)
  if (how.shake) seen = shaken(seen, how.shake)
  if (how.blur) seen = blurred(seen, how.blur)
  const grey = Buffer.alloc(WIDTH * HEIGHT)
  const noise = how.noise ?? 0.01
  for (let at = 0; at < grey.length; at++) {
    const value = seen[at]! + (random() + random() + random() - 1.5) * 2 * noise
    // Stored as a camera does: sRGB, about the power of 1 / 2.2.
    grey[at] = Math.round(255 * Math.max(0, Math.min(1, value)) ** (1 / 2.2))
  }
  return greyPicture(how.jpeg === undefined ? grey : await throughJpeg(grey, how.jpeg))
}

/** Returns the grey pixels of a photograph after they were stored as a JPEG of that quality. */
export async function throughJpeg(grey: Buffer, quality: number): Promise<Buffer> {
  const stored = await sharp(grey, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
    .jpeg({ quality })
    .toBuffer()
  return sharp(stored).toColourspace('b-w').raw().toBuffer()
}

/** Returns the pixels in the form of a canvas. */
export function greyPicture(grey: Buffer): Picture {
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

function drawCode(seen: Float32Array, code: ShownCode, screen: number | undefined) {
  const {
    module,
    at: [left, top] = [0, 0],
    turn = 0,
    tilt = [0, 0],
    ink = 0.04,
    paper = 0.8,
    spread = 0,
    creases = 0,
  } = code
  const { width, height, quiet: standard, isDark } = modulesOf(code)
  const quiet = code.quiet ?? standard
  const place = placeOnPaper(turn, tilt)
  const isInk = (u: number, v: number) =>
    spread >= 0
      ? isDark(u, v) || isDark(u - spread, v) || isDark(u + spread, v)
      : isDark(u, v) && isDark(u - spread, v) && isDark(u + spread, v)
  const dead = deadColumns(code, width)
  // A corner that is nearer to the lens seems further out.
  const reach = 1.3 * module * Math.hypot(width / 2 + quiet, height / 2 + quiet)
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      if (Math.hypot(x - WIDTH / 2 - left, y - HEIGHT / 2 - top) > reach) continue
      let sum = 0
      let count = 0
      for (const dy of SAMPLES) {
        for (const dx of SAMPLES) {
          const [px, py] = place(x + dx - WIDTH / 2 - left, y + dy - HEIGHT / 2 - top)
          const fold = creases && creases * (Math.sin(px / 23 + py / 41) + Math.sin(py / 17 - px / 37))
          const u = (px + fold) / module + width / 2
          const v = (py + fold / 2) / module + height / 2
          if (u < -quiet || v < -quiet || u > width + quiet || v > height + quiet) continue
          const inked = isInk(u, v) && !dead.has(Math.floor(u * 3))
          const shade = creases && 0.12 * Math.cos(px / 23 + py / 41)
          sum += (inked ? ink : paper) * (1 + shade) * (screen ? screenDot(px * screen, py * screen) : 1)
          count++
        }
      }
      const at = y * WIDTH + x
      if (count > 0) seen[at] = (sum + seen[at]! * (9 - count)) / 9
    }
  }
}

/** Returns a function from a place in the picture to the place on the paper, both in pixels from the middle. */
function placeOnPaper(turn: number, [sideways, backwards]: [number, number]) {
  const [z, y, x] = [turn, sideways, backwards].map((degrees) => (degrees * Math.PI) / 180) as [number, number, number]
  const tilted = (u: number, v: number) =>
    [u * Math.cos(y), v * Math.cos(x), u * Math.sin(y) + v * Math.sin(x)] as const
  const across = tilted(Math.cos(z), Math.sin(z))
  const down = tilted(-Math.sin(z), Math.cos(z))
  return (px: number, py: number): [number, number] => {
    const a = DISTANCE * across[0] - px * across[2]
    const b = DISTANCE * down[0] - px * down[2]
    const c = DISTANCE * across[1] - py * across[2]
    const d = DISTANCE * down[1] - py * down[2]
    const whole = a * d - b * c
    return [(DISTANCE * (px * d - py * b)) / whole, (DISTANCE * (py * a - px * c)) / whole]
  }
}

/** Returns the white columns, in thirds of a module: a printer's dot is smaller than a bar. */
function deadColumns({ deadDots = 0 }: ShownCode, width: number): Set<number> {
  const random = seededRandom(3)
  return new Set(Array.from({ length: width * 3 }, (_, column) => column).filter(() => random() < deadDots))
}

/** Returns the light of a screen at a place. Its pixels have dark lines between them, which beat against those of the camera. */
function screenDot(x: number, y: number): number {
  const [u, v] = [x - Math.floor(x), y - Math.floor(y)]
  return u < 0.25 || v < 0.25 ? 0.35 : 1.2
}

function drawFinger(seen: Float32Array, left: number, top: number, radius: number) {
  each((x, y, at) => {
    if (Math.hypot(x - left, y - top) < radius) seen[at] = FINGER
  })
}

function light(seen: Float32Array, { light: amount = 1, shadow = 0, glare = [] }: Photograph) {
  each((x, y, at) => {
    let value = seen[at]! * amount * (1 - shadow * (0.5 - x / WIDTH))
    for (const [left, top, radius] of glare)
      value += 1.2 * Math.exp(-(((x - left) ** 2 + (y - top) ** 2) / radius ** 2))
    seen[at] = Math.min(value, 1)
  })
}

/** Visits each pixel. `x` and `y` count from the middle. */
function each(visit: (x: number, y: number, at: number) => void) {
  for (let at = 0; at < WIDTH * HEIGHT; at++) visit((at % WIDTH) - WIDTH / 2, Math.floor(at / WIDTH) - HEIGHT / 2, at)
}

function shaken(seen: Float32Array, [pixels, degrees]: [number, number]): Float32Array {
  const steps = Array.from({ length: 9 }, (_, step) => (step / 8 - 0.5) * pixels)
  const angle = (degrees * Math.PI) / 180
  const out = new Float32Array(seen.length)
  each((x, y, at) => {
    for (const step of steps) out[at]! += sample(seen, x + step * Math.cos(angle), y + step * Math.sin(angle)) / 9
  })
  return out
}

/** Returns a mix of the four nearest pixels. */
function sample(seen: Float32Array, x: number, y: number): number {
  const left = Math.max(0, Math.min(WIDTH - 2, x + WIDTH / 2))
  const top = Math.max(0, Math.min(HEIGHT - 2, y + HEIGHT / 2))
  const at = Math.floor(top) * WIDTH + Math.floor(left)
  const [u, v] = [left % 1, top % 1]
  const upper = seen[at]! * (1 - u) + seen[at + 1]! * u
  return upper * (1 - v) + (seen[at + WIDTH]! * (1 - u) + seen[at + WIDTH + 1]! * u) * v
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
