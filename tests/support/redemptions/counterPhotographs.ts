import { seededRandom } from '../../../server/demo/demoVouchers.ts'
import { writeSignedVoucher } from '../../../src/domain/signedVouchers.ts'
import { withCheckDigit } from '../../../src/domain/vouchers.ts'
import { photograph, type Photograph, type ShownCode } from './photograph.ts'

/** The ways to print a voucher: bars, square, signed square. */
const PRINTS = ['EAN-13', 'HRP1', 'HRP2'] as const

type Print = (typeof PRINTS)[number]

type Shot = Omit<Photograph, 'codes'> & Partial<ShownCode> & { beside?: ShownCode[] }

/** Pixels of a module when a voucher is held as the frame asks. */
const MODULE: Record<Print, number> = { 'EAN-13': 4.2, HRP1: 10, HRP2: 6 }

const GROCERY = '4006381333931'
/** A shop's label for weighed food, which begins with 2 as well. */
const PRICE_LABEL = '2012345004504'
const PAYNOW =
  '00020101021126380009SG.PAYNOW010100211T05LL1103C0301052040000530370254045.005802SG5914KOPI AND TOAST6304A1B2'

/** The ways to hold a voucher, with bars, square and signed square. */
const SHOTS: Record<string, Record<Print, Shot>> = {
  'as the frame asks': { 'EAN-13': {}, HRP1: {}, HRP2: {} },
  'far away': {
    'EAN-13': { module: 1.7, blur: 0.5 },
    HRP1: { module: 2.4, blur: 0.6 },
    HRP2: { module: 2.2, blur: 0.6 },
  },
  'as close as it fits': { 'EAN-13': { module: 8 }, HRP1: { module: 21 }, HRP2: { module: 13.5 } },
  turned: { 'EAN-13': { turn: 33 }, HRP1: { turn: 21 }, HRP2: { turn: 52 } },
  'upright and upside down': { 'EAN-13': { turn: 97 }, HRP1: { turn: 180 }, HRP2: { turn: 265 } },
  tilted: {
    'EAN-13': { tilt: [48, 12], turn: 8 },
    HRP1: { tilt: [38, 30], turn: 12 },
    HRP2: { tilt: [-36, 22], turn: -15 },
  },
  'out of focus': { 'EAN-13': { blur: 1.9 }, HRP1: { blur: 5.5 }, HRP2: { blur: 3.2 } },
  'shaken by the hand': { 'EAN-13': { shake: [5, 10] }, HRP1: { shake: [15, 35] }, HRP2: { shake: [8, 70] } },
  'in low light': {
    'EAN-13': { light: 0.06, noise: 0.012 },
    HRP1: { light: 0.05, noise: 0.012 },
    HRP2: { light: 0.05, noise: 0.012 },
  },
  'under a lamp': {
    'EAN-13': {
      glare: [
        [60, -40, 110],
        [-160, 70, 60],
      ],
      shadow: 0.5,
    },
    HRP1: {
      glare: [
        [70, 70, 32],
        [-200, 0, 90],
      ],
      shadow: 0.6,
    },
    HRP2: {
      glare: [
        [70, -20, 40],
        [150, 150, 120],
      ],
      shadow: 0.6,
    },
  },
  'as a bad JPEG': {
    'EAN-13': { jpeg: 6, module: 3.1, noise: 0.02 },
    HRP1: { jpeg: 5, module: 6, noise: 0.02 },
    HRP2: { jpeg: 9, module: 3.6, noise: 0.02 },
  },
  "on a phone's screen, with moiré": {
    'EAN-13': { screen: 0.93, ink: 0.02, paper: 0.9, turn: 3 },
    HRP1: { screen: 1.07, ink: 0.02, paper: 0.9, turn: 4 },
    HRP2: { screen: 0.88, ink: 0.02, paper: 0.9, turn: -3 },
  },
  'white on black': {
    'EAN-13': { ink: 0.85, paper: 0.03 },
    HRP1: { ink: 0.85, paper: 0.03, turn: 7 },
    HRP2: { ink: 0.85, paper: 0.03 },
  },
  creased: {
    'EAN-13': { creases: 2.2, turn: 5 },
    HRP1: { creases: 2.5, turn: 9 },
    HRP2: { creases: 1.4, turn: -6 },
  },
  'with fingers up to its edge': {
    'EAN-13': {
      quiet: 7,
      fingers: [
        [-292, 20, 80],
        [290, -30, 75],
      ],
    },
    HRP1: {
      quiet: 2,
      fingers: [
        [-190, 40, 78],
        [175, -90, 60],
      ],
    },
    HRP2: {
      quiet: 2,
      fingers: [
        [-200, 20, 82],
        [60, 190, 70],
      ],
    },
  },
  'beside other codes': {
    'EAN-13': {
      module: 3,
      at: [-70, -90],
      beside: [{ kind: 'ean13', text: GROCERY, module: 3, at: [60, 120] }],
    },
    HRP1: {
      module: 7,
      at: [-190, -20],
      beside: [{ kind: 'ean13', text: PRICE_LABEL, module: 2.8, at: [120, 30] }],
    },
    HRP2: {
      module: 4.2,
      at: [-150, 20],
      beside: [
        { kind: 'ean13', text: PRICE_LABEL, module: 2.8, at: [150, -110] },
        { kind: 'qr', text: PAYNOW, module: 4, at: [170, 110] },
      ],
    },
  },
  'faded on thermal paper': {
    'EAN-13': { ink: 0.45, paper: 0.62, deadDots: 0.03, spread: -0.12, noise: 0.02 },
    HRP1: { ink: 0.5, paper: 0.62, deadDots: 0.06, noise: 0.02 },
    HRP2: { ink: 0.45, paper: 0.62, deadDots: 0.04, spread: 0.1, noise: 0.02 },
  },
}

export interface CounterPhotograph {
  name: string
  /** The code that the counter should receive. */
  code: string
  take: () => ReturnType<typeof photograph>
}

/** Draws 51 photographs of vouchers at a counter, which are the same each time. */
export function counterPhotographs(): CounterPhotograph[] {
  const random = seededRandom(51)
  return Object.entries(SHOTS).flatMap(([how, shots]) =>
    PRINTS.map((print) => {
      const { beside = [], blur, shake, light, noise, glare, shadow, fingers, screen, jpeg, ...shown } = shots[print]
      const { kind, text, code } = printed(print, random)
      const codes = [{ kind, text, module: MODULE[print], ...shown }, ...beside]
      const effects = { blur, shake, light, noise, glare, shadow, fingers, screen, jpeg }
      return { name: `${print} ${how}`, code, take: () => photograph({ codes, ...effects }) }
    }),
  )
}

/** Returns a voucher that does not exist. Its signature is invalid, but the camera does not check that. */
function printed(print: Print, random: () => number) {
  const serial = anySerial(random)
  if (print === 'EAN-13') return { kind: 'ean13', text: serial, code: serial } as const
  if (print === 'HRP1') return { kind: 'qr', text: `HRP1.${serial}`, code: serial } as const
  const signature = Uint8Array.from({ length: 64 }, () => Math.floor(random() * 256))
  const text = writeSignedVoucher({ key: 1, serial, denomination_cents: 1000, expires_on: '2027-11-30' }, signature)
  return { kind: 'qr', text, code: text } as const
}

/** Returns a serial that a voucher may have (rule 8.2). */
export const anySerial = (random: () => number): string =>
  withCheckDigit(`2${String(Math.floor(random() * 1e11)).padStart(11, '0')}`)
