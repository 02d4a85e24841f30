import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasDuplicateKey, isBeyond } from './readJsonBody.ts'

it.each([
  '{"a":1,"a":2}',
  '{"a" : 1, "b": 2, "a":3}',
  '{"a":{"b":1,"b":1}}',
  '[{"a":1},{"b":[{"a":1,"c":{},"a":2}]}]',
  String.raw`{"a":1,"\u0061":2}`,
  String.raw`{"\"":1,"\"":2}`,
  '{"":1,"":2}',
])('ACL-12: %s names a field twice', (json) => {
  expect(JSON.parse(json)).toBeDefined()
  expect(hasDuplicateKey(json)).toBe(true)
})

it.each([
  '{"a":{"a":1},"b":{"a":1}}',
  '["a","a",{"b":"a:","c":"{"}]',
  String.raw`{"a":"\",\"a\":","b":"}{"}`,
  '"a"',
  '1',
])('ACL-12: %s does not', (json) => expect(hasDuplicateKey(json)).toBe(false))

it('ACL-12: nothing that was made by JSON.stringify does, spaces or none', () => {
  const made = fc.tuple(fc.jsonValue(), fc.nat(2)).map(([value, indent]) => JSON.stringify(value, null, indent))
  expect(fc.sample(made, 500).filter(hasDuplicateKey)).toEqual([])
})

const SIZE = { bytes: Infinity, parts: 5_000, depth: 6 }
const isTooMuch = (json: string) => isBeyond(SIZE, Buffer.from(json))
const digits = (count: number) => `[${Array.from({ length: count }, () => '1').join(',')}]`
const fields = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',')}}`

it('TBL-08: a form may have so many parts, and not one more; fields are parts as items are', () => {
  expect([digits(5_000), fields(5_000)].map(isTooMuch)).toEqual([false, false])
  expect([digits(5_001), fields(5_001)].map(isTooMuch)).toEqual([true, true])
})

it('TBL-08: a form may have so many levels, one after the other as often as it likes', () => {
  const levels = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`
  expect([levels(6), `[${levels(4)},${levels(4)}]`].map(isTooMuch)).toEqual([false, false])
  expect([levels(8), '['.repeat(7)].map(isTooMuch)).toEqual([true, true])
})

it('what stands in a text is none, whatever quotes it has', () => {
  const text = JSON.stringify({
    a: ',[{'.repeat(10_000),
    b: String.raw`\",`.repeat(30_000),
    [','.repeat(30_000)]: '\\',
  })
  expect(isTooMuch(text)).toBe(false)
})
