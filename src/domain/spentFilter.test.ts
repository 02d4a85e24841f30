import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filterKey, readSpentFilter, shortHash, writeSpentFilter } from './spentFilter.ts'
import { withCheckDigit } from './vouchers.ts'

/** In the order of a small generator: the same serials in each run, like none that were drawn before. */
function serials(count: number, seed: number): string[] {
  let state = seed
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0)
  const drawn = () => String(Math.floor((next() / 2 ** 32) * 1e6) * 1e5 + (next() % 100_000)).padStart(11, '0')
  return Array.from({ length: count }, () => withCheckDigit(`2${drawn()}`))
}

function written(of: readonly string[]): Uint8Array {
  const steps = writeSpentFilter(Float64Array.from(new Set(of.map(filterKey))))
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
const filterOf = (of: readonly string[]) => readSpentFilter(written(of))!

describe('a filter of spent vouchers', () => {
  it.each([0, 1, 2, 3, 10, 999, 20_000])('of %i misses none of them', (count) => {
    const spent = serials(count, 7)
    const filter = filterOf(spent)
    expect(spent.filter((serial) => !filter.has(serial))).toEqual([])
  })

  it('takes one in 256 others for one of them, and nine to ten bits for each', () => {
    const spent = serials(20_000, 7)
    const bytes = written(spent)
    expect((bytes.length * 8) / spent.length).toBeLessThan(10.2)
    const filter = readSpentFilter(bytes)!
    const known = new Set(spent)
    const others = serials(100_000, 99).filter((serial) => !known.has(serial))
    const wrong = others.filter((serial) => filter.has(serial)).length
    expect(others.length / wrong).toBeGreaterThan(225)
    expect(others.length / wrong).toBeLessThan(290)
  })

  it('of none has none', () => {
    const filter = filterOf([])
    expect(serials(1_000, 3).filter((serial) => filter.has(serial))).toEqual([])
  })

  it('of runs of serials, as a programme might draw them, misses none either', () => {
    fc.assert(
      fc.property(fc.nat(90_000_000_000), fc.integer({ min: 1, max: 300 }), (first, count) => {
        const run = Array.from({ length: count }, (_, at) => withCheckDigit(`2${String(first + at).padStart(11, '0')}`))
        const filter = filterOf(run)
        return run.every((serial) => filter.has(serial))
      }),
      { numRuns: 40 },
    )
    expect(filterOf(['2000000000008']).has('2000000000008')).toBe(true)
  })

  it('stops on its way, so that a server can answer others', () => {
    const steps = writeSpentFilter(Float64Array.from(serials(100_000, 5).map(filterKey)))
    expect(steps.next().done).toBe(false)
    expect(steps.next().done).toBe(false)
  })

  it('is not made of a list with a voucher twice, which would never fit', () => {
    const steps = writeSpentFilter(Float64Array.of(1, 2, 2))
    expect(() => {
      while (!steps.next().done);
    }).toThrow('twice')
  })

  it.each([
    ['nothing', () => new Uint8Array()],
    ['another version', (bytes: Uint8Array) => bytes.with(0, 9)],
    ['half of one', (bytes: Uint8Array) => bytes.slice(0, bytes.length / 2)],
    ['more than one', (bytes: Uint8Array) => Uint8Array.of(...bytes, 0)],
    ['a length without end', (bytes: Uint8Array) => bytes.with(6, 255)],
  ])('is none where the bytes are %s', (_, change) => {
    expect(readSpentFilter(change(written(serials(50, 1))))).toBeUndefined()
  })
})

it('a short hash of a voucher is 24 bits, and hardly ever that of another', () => {
  const hashes = serials(10_000, 11).map(shortHash)
  expect(hashes.every((hash) => Number.isInteger(hash) && hash >= 0 && hash < 2 ** 24)).toBe(true)
  // 10,000 of 16.7 million: three pairs are to be expected.
  expect(new Set(hashes).size).toBeGreaterThan(9_985)
})
