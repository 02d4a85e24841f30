import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Refusal } from '../services/Refusal.ts'
import { readJsonBody } from './readJsonBody.ts'

const SIZE = { bytes: Infinity, parts: 5_000, depth: 6 }
const codeOf = (json: string, size = SIZE) =>
  readJsonBody(
    new Request('http://x', { method: 'POST', headers: { 'content-type': 'application/json' }, body: json }),
    size,
  ).then(
    () => undefined,
    ({ code }: Refusal) => code,
  )

it.each([
  '{"a":1,"a":2}',
  '{"a" : 1, "b": 2, "a":3}',
  '{"a":{"b":1,"b":1}}',
  '[{"a":1},{"b":[{"a":1,"c":{},"a":2}]}]',
  String.raw`{"a":1,"\u0061":2}`,
  String.raw`{"\"":1,"\"":2}`,
  '{"":1,"":2}',
])('ACL-12: %s names a field twice', async (json) => {
  expect(JSON.parse(json)).toBeDefined()
  expect(await codeOf(json)).toBe('MALFORMED_JSON')
})

it.each([
  '{"a":{"a":1},"b":{"a":1}}',
  '{"a":["a","a",{"b":"a:","c":"{"}]}',
  String.raw`{"a":"\",\"a\":","b":"}{"}`,
  '"a"',
  '1',
])('ACL-12: %s does not', async (json) => expect(await codeOf(json)).toBeUndefined())

it('ACL-12: nothing that was made by JSON.stringify does, spaces or none', async () => {
  const isPlain = (json: string) => !/__proto__|constructor|prototype/.test(json)
  const made = fc
    .tuple(fc.jsonValue(), fc.nat(2))
    .map(([value, indent]) => JSON.stringify({ value }, null, indent))
    .filter(isPlain)
  const codes = fc.sample(made, 500).map((json) => codeOf(json, { ...SIZE, parts: Infinity, depth: Infinity }))
  expect((await Promise.all(codes)).filter(Boolean)).toEqual([])
})

const areTooMuch = async (jsons: string[]) =>
  (await Promise.all(jsons.map((json) => codeOf(json)))).map((code) => code === 'PAYLOAD_TOO_LARGE')
const digits = (count: number) => `[${Array.from({ length: count }, () => '1').join(',')}]`
const fields = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',')}}`

it('TBL-08: a form may have so many parts, and not one more; fields are parts as items are', async () => {
  expect(await areTooMuch([digits(5_000), fields(5_000)])).toEqual([false, false])
  expect(await areTooMuch([digits(5_001), fields(5_001)])).toEqual([true, true])
})

it('TBL-08: a form may have so many levels, one after the other as often as it likes', async () => {
  const levels = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`
  expect(await areTooMuch([levels(6), `[${levels(4)},${levels(4)}]`])).toEqual([false, false])
  expect(await areTooMuch([levels(8), '['.repeat(7)])).toEqual([true, true])
})

it('what stands in a text is none, whatever quotes it has', async () => {
  const text = JSON.stringify({
    a: ',[{'.repeat(10_000),
    b: String.raw`\",`.repeat(30_000),
    [','.repeat(30_000)]: '\\',
  })
  expect(await areTooMuch([text])).toEqual([false])
})
