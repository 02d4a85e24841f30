import { inflateRawSync } from 'node:zlib'
import readSheets from 'read-excel-file/node'
import { expect } from 'vitest'
import type { ReportRequest } from '../../../src/contract/reports/report.ts'
import type { ReportPreview } from '../../../src/contract/reports/reportPreview.ts'
import { send, type Ask } from '../api/portalClient.ts'
import { parseSentCsv } from '../tables/parseCsv.ts'

const PATHS = {
  transaction: '/reporting/report/merchant/transaction_report',
  monthly: '/reporting/report/monthly_report',
  daily: '/reporting/report/daily_report',
} as const

export type ReportName = keyof typeof PATHS

/** Returns the report calls of a logged-in user. */
export function reportClient(ask: Ask, token: string) {
  const post = (path: string, body: unknown) =>
    send(ask, 'POST', path, { body, token, headers: { 'login-type': 'MERCHANT' } })
  const file = async (name: ReportName, params: object) => {
    const response = await post(PATHS[name], params)
    expect(response.status).toBe(200)
    return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
  }
  return {
    request: (name: ReportName, params: object) => post(PATHS[name], params),
    async csv(name: ReportName, params: object) {
      const got = await file(name, params)
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(got.bytes)
      expect(text.startsWith('\uFEFF')).toBe(true)
      return { ...got, ...takenApart(parseSentCsv(text.slice(1)), (line) => line.length === 1 && line[0] === '') }
    },
    async xlsx(name: ReportName, params: object) {
      const got = await file(name, { ...params, format: 'xlsx' })
      const [sheet = []] = await readWorkbook(got.bytes)
      return { ...got, ...takenApart(sheet, (row) => row.every((cell) => cell === null)) }
    },
    preview: (report: ReportName, params: object) =>
      post('/reporting/report/preview', { report, params } as ReportRequest),
    async previewed(report: ReportName, params: object): Promise<ReportPreview> {
      const response = await post('/reporting/report/preview', { report, params })
      expect(response.status).toBe(200)
      return ((await response.json()) as { data: ReportPreview }).data
    },
  }
}

/** Splits lines into facts, an empty line, the columns and the rows. */
function takenApart<C>(lines: C[][], isGap: (line: C[]) => boolean) {
  const gap = lines.findIndex(isGap)
  const [columns = [], ...rows] = lines.slice(gap + 1)
  const facts = Object.fromEntries(lines.slice(0, gap).map(([label, value]) => [label, value])) as Record<string, C>
  return { facts, columns: columns.map(String), rows }
}

export type Cell = string | number | Date | null

/** Reads the sheets of a workbook with another library than the one that wrote it. */
export async function readWorkbook(bytes: Uint8Array): Promise<Cell[][][]> {
  const sheets = await readSheets(Buffer.from(bytes), { trim: false })
  return sheets.map(({ data }) => data as Cell[][])
}

/** Returns a file of the zip as text, found by the directory at the end. */
export function partOf(bytes: Uint8Array, path: string): string {
  const zip = Buffer.from(bytes)
  for (let at = zip.indexOf('PK\u0001\u0002'); at >= 0; at = zip.indexOf('PK\u0001\u0002', at + 4)) {
    const nameLength = zip.readUInt16LE(at + 28)
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) !== path) continue
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    return (zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed).toString('utf8')
  }
  throw new Error(`no ${path} in the zip`)
}
