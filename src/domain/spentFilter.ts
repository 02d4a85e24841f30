/* A Bloom filter of spent vouchers: it finds every voucher that was added, and one in 300 others by mistake. Only this file writes it on the
   server and reads it on tills. */

const HASHES = 8
const BITS_PER_VOUCHER = 12

/** Returns an empty filter with room for so many vouchers. */
export const emptyFilter = (vouchers: number) => new Uint8Array(Math.ceil((vouchers * BITS_PER_VOUCHER) / 8))

export function addSpent(filter: Uint8Array, serial: string): void {
  for (const bit of bitsOf(filter, serial)) filter[bit >>> 3]! |= 1 << (bit & 7)
}

/** True if this voucher, or one with the same bits, is in the filter. */
export const mayBeSpent = (filter: Uint8Array, serial: string): boolean =>
  bitsOf(filter, serial).every((bit) => (filter[bit >>> 3]! & (1 << (bit & 7))) !== 0)

/** Returns the bits of a serial by two hashes (Kirsch and Mitzenmacher, 2006). */
function bitsOf({ length }: Uint8Array, serial: string): number[] {
  // The last digit follows from the others.
  const key = Number(serial.slice(0, 12))
  const [first, step] = [hash(key, 0x2c_1b_3c_6d), hash(key, 0x5b_d1_e9_95)]
  return Array.from({ length: HASHES }, (_, at) => (first + at * step) % (length * 8))
}

/** Returns 32 bits for a key below 2^53: the last steps of MurmurHash3, once for each half of the key. */
const hash = (key: number, seed: number): number =>
  finish(finish((key >>> 0) ^ seed) + Math.imul(Math.floor(key / 2 ** 32) + 1, 0x9e_37_79_b1))

function finish(word: number): number {
  let mixed = word ^ (word >>> 16)
  mixed = Math.imul(mixed, 0x85_eb_ca_6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2_b2_ae_35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
