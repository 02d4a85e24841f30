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

/** Photographs that are hard to read, with bars, square and signed square. */
const SHOTS: Record<string, Record<Print, Shot>> = {
  'far away': {
    'EAN-13': { module: 1.7, blur: 0.5 },
    HRP1: { module: 2.4, blur: 0.6 },
    HRP2: { module: 2.2, blur: 0.6 },
  },
  turned: { 'EAN-13': { turn: 33 }, HRP1: { turn: 21 }, HRP2: { turn: 52 } },
  'in low light': {
    'EAN-13': { light: 0.06, noise: 0.012 },
    HRP1: { light: 0.05, noise: 0.012 },
    HRP2: { light: 0.05, noise: 0.012 },
  },
  'white on black': {
    'EAN-13': { ink: 0.85, paper: 0.03 },
    HRP1: { ink: 0.85, paper: 0.03, turn: 7 },
    HRP2: { ink: 0.85, paper: 0.03 },
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
}

export interface CounterPhotograph {
  name: string
  /** The code that the counter should receive. */
  code: string
  take: () => ReturnType<typeof photograph>
}

/** Draws photographs of vouchers at a counter, which are the same each time. */
export function counterPhotographs(): CounterPhotograph[] {
  const random = seededRandom(51)
  return Object.entries(SHOTS).flatMap(([how, shots]) =>
    PRINTS.map((print) => {
      const { beside = [], blur, light, noise, ...shown } = shots[print]
      const { kind, text, code } = printed(print, random)
      const codes = [{ kind, text, module: MODULE[print], ...shown }, ...beside]
      return { name: `${print} ${how}`, code, take: () => photograph({ codes, blur, light, noise }) }
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
const anySerial = (random: () => number): string =>
  withCheckDigit(`2${String(Math.floor(random() * 1e11)).padStart(11, '0')}`)
