import { describe, expect, it } from 'vitest'
import { BYTE_ORDER_MARK, END_LINE, toCsv } from '../domain/csv.ts'
import { readWhole } from './download.ts'

const CSV = { 'content-type': 'text/csv; charset=utf-8' }
const XLSX = { 'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' }
const read = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
  readWhole(new Response(body, { headers })).then(
    ({ byteLength }) => byteLength,
    ({ code, statusMessage }: { code: string; statusMessage: string }) => [code, statusMessage],
  )
const CUT_OFF = ['CUT_OFF', 'The download was cut off.']

describe('a file that ends as if it were whole', () => {
  it('is whole as a CSV only with its end mark, wherever it was cut and whatever people have written', async () => {
    const rows = [['Name'], ['End of file'], ['"End of file'], ['a\r\n"End of file"\r\n'], ['\r\n"End of file"']]
    const whole = BYTE_ORDER_MARK + toCsv(rows) + END_LINE
    const bytes = new TextEncoder().encode(whole)
    for (let length = 0; length < bytes.length; length += 1) {
      expect([length, await read(bytes.slice(0, length), CSV)]).toEqual([length, CUT_OFF])
    }
    expect(await read(bytes, CSV)).toBe(bytes.length)
  })

  it('is whole as a workbook only with the end of a zip', async () => {
    const end = `PK\u0005\u0006${'\u0000'.repeat(18)}`
    expect(await read(`PK\u0003\u0004 sheet ${end}`, XLSX)).toBe(33)
    expect(await read('PK\u0003\u0004 sheet ', XLSX)).toEqual(CUT_OFF)
    expect(await read(`PK\u0003\u0004 sheet ${end.slice(0, -1)}`, XLSX)).toEqual(CUT_OFF)
  })

  it('is whole as any other file only with all its bytes', async () => {
    const pdf = { 'content-type': 'application/pdf', 'x-file-size': '5' }
    expect(await read('%PDF-', pdf)).toBe(5)
    expect(await read('%PDF', pdf)).toEqual(CUT_OFF)
    expect(await read('a,b\r\n', { ...CSV, 'x-file-size': '5' })).toBe(5)
  })

  it('is whole as a PDF with its mark, where a proxy has taken the size away', async () => {
    const pdf = { 'content-type': 'application/pdf' }
    expect(await read('%PDF-1.7 text %%EOF\n', pdf)).toBe(20)
    expect(await read('%PDF-1.7 text', pdf)).toEqual(CUT_OFF)
  })
})
