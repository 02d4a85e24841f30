/**
 * A binary fuse filter (Graf and Lemire, 2022) of vouchers, three places and 8 bits each: it takes nine bits for a voucher, misses
 * none that was put in, and takes one in 256 others for one of them. Written on the server and read on tills by this file alone.
 */
export interface SpentFilter {
  /** Whether this voucher is in it, or one that looks the same. */
  has(serial: string): boolean
}

const ARITY = 3
const VERSION = 1
/** Version 1, seed 4, exponent of the segment 1, segments 4. */
const HEAD_BYTES = 10
/** Far more than are ever needed: one in fifty tries fails at most. */
const MOST_TRIES = 100

interface Shape {
  seed: number
  /** Places of a segment: a power of two. */
  segment: number
  /** Where the first of the three places of a voucher may lie. */
  segments: number
}

/** What is done in one go: a million vouchers take more than half a second, and a server has others to answer. */
const STEP = 2 ** 15

/** The filter of these vouchers, each once, by `filterKey`. It stops at every step, so that whoever makes it can do something else. */
export function* writeSpentFilter(keys: Float64Array): Generator<void, Uint8Array<ArrayBuffer>, void> {
  for (let seed = 1; seed <= MOST_TRIES; seed += 1) {
    const shape = { seed, ...sizesFor(keys.length) }
    const prints = yield* fill(keys, shape)
    if (prints) return withHead(shape, prints)
  }
  throw new TypeError('a voucher is in the list twice')
}

/** `undefined` for bytes that this release does not know. */
export function readSpentFilter(bytes: Uint8Array): SpentFilter | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEAD_BYTES || view.getUint8(0) !== VERSION) return undefined
  const shape = { seed: view.getUint32(1), segment: 2 ** view.getUint8(5), segments: view.getUint32(6) }
  const prints = bytes.subarray(HEAD_BYTES)
  if (prints.length !== placesOf(shape)) return undefined
  const at = new Uint32Array(ARITY)
  return {
    has(serial) {
      const print = locate(filterKey(serial), shape, at)
      return prints.length > 0 && (prints[at[0]!]! ^ prints[at[1]!]! ^ prints[at[2]!]!) === print
    },
  }
}

/** A voucher as a number: the last of its digits follows from the others. */
export const filterKey = (serial: string): number => Number(serial.slice(0, 12))

/** 24 bits that stand for a voucher in a short list: what was spent since a filter was made. */
export const shortHash = (serial: string): number => hash(filterKey(serial), 0x2c_1b_3c_6d) >>> 8

const placesOf = ({ segment, segments }: Omit<Shape, 'seed'>) => (segments === 0 ? 0 : (segments + ARITY - 1) * segment)

/** As in the authors' code: small filters need more room. */
function sizesFor(count: number): Omit<Shape, 'seed'> {
  if (count === 0) return { segment: 1, segments: 0 }
  const segment = 2 ** Math.min(18, Math.floor(Math.log(count) / Math.log(3.33) + 2.25))
  const factor = Math.max(1.125, 0.875 + (0.25 * Math.log(1_000_000)) / Math.log(Math.max(count, 2)))
  return { segment, segments: Math.max(1, Math.ceil((count * factor) / segment) - (ARITY - 1)) }
}

/**
 * Takes away, one after the other, a voucher that is alone in one of its places, and gives prints in the opposite order: that place is
 * then free to make the three of them fit. `undefined` where the vouchers left over all share their places.
 */
function* fill(keys: Float64Array, shape: Shape): Generator<void, Uint8Array | undefined, void> {
  const { order, alone } = yield* peel(keys, shape)
  if (order.length < keys.length) return undefined
  const prints = new Uint8Array(placesOf(shape))
  const at = new Uint32Array(ARITY)
  for (let last = order.length - 1; last >= 0; last -= 1) {
    if (last % STEP === 0) yield
    const print = locate(keys[order[last]!]!, shape, at)
    // Its own place is still zero.
    prints[alone[last]!] = print ^ prints[at[0]!]! ^ prints[at[1]!]! ^ prints[at[2]!]!
  }
  return prints
}

function* peel(keys: Float64Array, shape: Shape): Generator<void, Peeled, void> {
  const places = placesOf(shape)
  const [counts, mixed] = [new Uint32Array(places), new Uint32Array(places)]
  const at = new Uint32Array(ARITY)
  for (let key = 0; key < keys.length; key += 1) {
    if (key % STEP === 0) yield
    locate(keys[key]!, shape, at)
    for (const place of at) {
      counts[place]! += 1
      mixed[place]! ^= key
    }
  }
  const [order, alone] = [new Uint32Array(keys.length), new Uint32Array(keys.length)]
  const ready: number[] = []
  let done = 0
  for (let from = 0; from < places || ready.length > 0;) {
    const place = ready.pop() ?? from++
    // Of one that came again its voucher may be taken away by now.
    if (counts[place] !== 1) continue
    const key = mixed[place]!
    if (done % STEP === 0) yield
    order[done] = key
    alone[done] = place
    done += 1
    locate(keys[key]!, shape, at)
    for (const other of at) {
      counts[other]! -= 1
      mixed[other]! ^= key
      if (counts[other] === 1) ready.push(other)
    }
  }
  return { order: order.subarray(0, done), alone: alone.subarray(0, done) }
}

interface Peeled {
  /** Vouchers by their number in the list, and the place in which each was alone. */
  order: Uint32Array
  alone: Uint32Array
}

/** The three places of a voucher, written into `at`, in neighbouring segments; its print. */
function locate(key: number, { seed, segment, segments }: Shape, at: Uint32Array): number {
  const [one, two, three] = [hash(key, seed), hash(key, ~seed), hash(key, seed + 0x5b_d1_e9_95)]
  const first = Math.floor((one * segments * segment) / 2 ** 32)
  at[0] = first
  at[1] = (first + segment) ^ (two & (segment - 1))
  at[2] = (first + 2 * segment) ^ (three & (segment - 1))
  return three >>> 24
}

/** 32 bits of a key below 2^53: the finish of MurmurHash3, once for each half. */
const hash = (key: number, seed: number): number =>
  finish(finish((key >>> 0) ^ seed) + Math.imul(Math.floor(key / 2 ** 32) + 1, 0x9e_37_79_b1))

function finish(word: number): number {
  let mixed = word ^ (word >>> 16)
  mixed = Math.imul(mixed, 0x85_eb_ca_6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2_b2_ae_35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function withHead({ seed, segment, segments }: Shape, prints: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEAD_BYTES + prints.length)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, VERSION)
  view.setUint32(1, seed)
  view.setUint8(5, Math.log2(segment))
  view.setUint32(6, segments)
  bytes.set(prints, HEAD_BYTES)
  return bytes
}
