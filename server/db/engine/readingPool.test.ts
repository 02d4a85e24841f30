import fc from 'fast-check'
import { expect, it } from 'vitest'
import { copiedCsv } from './readingPool.ts'

/** The rule itself, sign by sign. */
function ended(text: string): { text: string; lines: number } {
  let isQuoted = false
  let lines = 0
  const signs = [...text].map((sign) => {
    if (sign === '"') isQuoted = !isQuoted
    if (sign !== '\n' || isQuoted) return sign
    lines += 1
    return '\r\n'
  })
  return { text: signs.join(''), lines }
}

async function copied(pieces: Buffer[]) {
  const made: Uint8Array[] = []
  const rows = copiedCsv(
    (async function* () {
      yield* pieces
    })(),
  )
  for (;;) {
    const next = await rows.next()
    if (next.done) return { text: Buffer.concat(made).toString(), lines: next.value }
    made.push(next.value)
  }
}

function cut(bytes: Buffer, lengths: number[]): Buffer[] {
  const pieces: Buffer[] = []
  for (let from = 0, n = 0; from < bytes.length; n += 1) {
    const length = lengths[n % lengths.length]!
    pieces.push(bytes.subarray(from, from + length))
    from += length
  }
  return pieces
}

it('a line ends in two signs and a line feed within quotes stays, wherever the text is cut', async () => {
  const text = fc.array(fc.constantFrom('"', '""', '\n', ',', 'a', 'é', '店'), { maxLength: 30 })
  const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(text, lengths, async (signs, pieces) => {
      expect(await copied(cut(Buffer.from(signs.join('')), pieces))).toEqual(ended(signs.join('')))
    }),
    { numRuns: 2_000 },
  )
})

it('takes no longer for many quotes and no line feed', async () => {
  const started = performance.now()
  await copied([Buffer.from('"a",'.repeat(500_000))])
  expect(performance.now() - started).toBeLessThan(10_000)
})
