import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasDuplicateKey } from './readJsonBody.ts'

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
