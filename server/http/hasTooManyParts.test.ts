import { expect, it } from 'vitest'
import { hasTooManyParts } from './readJsonBody.ts'

const of = (json: string) => hasTooManyParts(Buffer.from(json))
const digits = (count: number) => `[${Array.from({ length: count }, () => '1').join(',')}]`

it('TBL-08: twenty thousand parts are a form, and one more is not', () => {
  expect(of(digits(20_000))).toBe(false)
  expect(of(digits(20_001))).toBe(true)
})

it('TBL-08: fields and levels are parts as items are', () => {
  expect(of(`{${Array.from({ length: 20_001 }, (_, n) => `"k${n}":1`).join(',')}}`)).toBe(true)
  expect(of('['.repeat(20_001))).toBe(true)
})

it('what stands in a text is none, whatever quotes it has', () => {
  const text = JSON.stringify({
    a: ',[{'.repeat(10_000),
    b: String.raw`\",`.repeat(30_000),
    [','.repeat(30_000)]: '\\',
  })
  expect(of(text)).toBe(false)
})
