import { checkDigit } from '../contract/vouchers.ts'
import { addDays } from './singaporeTime.ts'

/** The facts in a signed voucher (decision 0090). */
export interface VoucherFacts {
  /** The id of the key that signed it. */
  key: number
  /** 13 digits. */
  serial: string
  denomination_cents: number
  /** The last Singapore day on which it is valid. */
  expires_on: string
}

export interface SignedVoucher extends VoucherFacts {
  /** The bytes that are signed. */
  signed: Uint8Array<ArrayBuffer>
  /** Ed25519, 64 bytes. It is not verified yet. */
  signature: Uint8Array<ArrayBuffer>
}

const PREFIX = 'HRP2:'
const VERSION = 1
/** The bytes of version 1, key 2, serial 5, cents 3, and day 2. */
const FACTS_BYTES = 13
const SIGNATURE_BYTES = 64
const FIRST_DAY = '2020-01-01'
/** `day` in src/contract/fieldSchemas.ts ends in 2099. */
const MOST_DAYS = dayNumber('2099-12-31')

/** True if a scan begins like a signed voucher, even if it is damaged or forged. */
export const isSignedVoucher = (scanned: string): boolean => normalized(scanned).startsWith(PREFIX)

/** Reads a scan; returns `undefined` if it is not the whole text of a signed voucher. It may still be forged. */
export function readSignedVoucher(scanned: string): SignedVoucher | undefined {
  if (!isSignedVoucher(scanned)) return undefined
  const bytes = fromBase45(normalized(scanned).slice(PREFIX.length))
  if (bytes?.length !== FACTS_BYTES + SIGNATURE_BYTES) return undefined
  const facts = readFacts(new DataView(bytes.buffer))
  return facts && { ...facts, signed: signedPart(facts), signature: bytes.slice(FACTS_BYTES) }
}

/** Returns the text of the QR code, which has only characters of its alphanumeric mode. */
export const writeSignedVoucher = (facts: VoucherFacts, signature: Uint8Array): string =>
  PREFIX + toBase45(Uint8Array.of(...writeFacts(facts), ...signature))

/** Returns the bytes to sign. They include the prefix, so that a signature for something else is not valid here. */
export const signedPart = (facts: VoucherFacts): Uint8Array<ArrayBuffer> =>
  Uint8Array.of(...Array.from(PREFIX, (letter) => letter.codePointAt(0)!), ...writeFacts(facts))

/** A scanner that types may use lower case. A space at the end is never part of the text: the last base45 digit of 77 bytes is below 6. */
const normalized = (scanned: string) => scanned.trim().toUpperCase()

function writeFacts({ key, serial, denomination_cents, expires_on }: VoucherFacts): Uint8Array {
  const view = new DataView(new ArrayBuffer(FACTS_BYTES))
  const twelve = Number(serial.slice(0, 12))
  view.setUint8(0, VERSION)
  view.setUint16(1, key)
  view.setUint8(3, Math.floor(twelve / 2 ** 32))
  view.setUint32(4, twelve)
  view.setUint8(8, denomination_cents >> 16)
  view.setUint16(9, denomination_cents)
  view.setUint16(11, dayNumber(expires_on))
  return new Uint8Array(view.buffer)
}

function readFacts(view: DataView): VoucherFacts | undefined {
  const twelve = String(view.getUint8(3) * 2 ** 32 + view.getUint32(4))
  const days = view.getUint16(11)
  if (view.getUint8(0) !== VERSION || !/^2\d{11}$/.test(twelve) || days > MOST_DAYS) return undefined
  return {
    key: view.getUint16(1),
    serial: twelve + checkDigit(twelve),
    denomination_cents: view.getUint8(8) * 2 ** 16 + view.getUint16(9),
    expires_on: addDays(FIRST_DAY, days),
  }
}

function dayNumber(day: string): number {
  return (Date.parse(day) - Date.parse(FIRST_DAY)) / 86_400_000
}

/** The alphabet of RFC 9285. */
const BASE45 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:'

function toBase45(bytes: Uint8Array): string {
  const digits: number[] = []
  for (let at = 0; at < bytes.length; at += 2) {
    const isPair = at + 1 < bytes.length
    const value = isPair ? bytes[at]! * 256 + bytes[at + 1]! : bytes[at]!
    digits.push(value % 45, Math.floor(value / 45) % 45)
    if (isPair) digits.push(Math.floor(value / 2_025))
  }
  return digits.map((digit) => BASE45[digit]).join('')
}

/** Returns `undefined` for a text that `toBase45` never gives: each voucher has exactly one valid text. */
function fromBase45(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes: number[] = []
  for (let at = 0; at < text.length; at += 3) {
    const group = text.slice(at, at + 3)
    const digits = [...group].map((letter) => BASE45.indexOf(letter))
    const value = digits.reduceRight((sum, digit) => sum * 45 + digit, 0)
    const most = group.length === 3 ? 0xff_ff : 0xff
    if (group.length === 1 || digits.includes(-1) || value > most) return undefined
    if (group.length === 3) bytes.push(value >> 8)
    bytes.push(value & 0xff)
  }
  return Uint8Array.from(bytes)
}
