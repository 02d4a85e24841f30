import { expect, it } from 'vitest'
import { contentDisposition } from './mount.ts'

const CASES = [
  ['Report.csv', `attachment; filename="Report.csv"; filename*=UTF-8''Report.csv`],
  ['1–2 Nov (a).csv', `attachment; filename="1-2 Nov (a).csv"; filename*=UTF-8''1%E2%80%932%20Nov%20%28a%29.csv`],
  ['a"b.csv', `attachment; filename="a_b.csv"; filename*=UTF-8''a%22b.csv`],
  ['../../etc\\x.csv', `attachment; filename=".._.._etc_x.csv"; filename*=UTF-8''.._.._etc_x.csv`],
  ['a\r\nset-cookie: x', `attachment; filename="a__set-cookie: x"; filename*=UTF-8''a__set-cookie%3A%20x`],
  ['a\uD83D.csv', `attachment; filename="a_.csv"; filename*=UTF-8''a%EF%BF%BD.csv`],
  ['咖啡.csv', `attachment; filename="__.csv"; filename*=UTF-8''%E5%92%96%E5%95%A1.csv`],
] as const

it.each(CASES)('%j', (filename, header) => {
  expect(contentDisposition(filename)).toBe(header)
})
