import readSheets from 'read-excel-file/node'
import { expect, it } from 'vitest'
import type { Report } from './Report.ts'
import { xlsxPieces } from './xlsxPieces.ts'

async function* rowsOf(instants: readonly string[]): Report['rows'] {
  yield instants.map((at) => [at, 'R-000001'])
}

async function workbookOf(instants: readonly string[], rows = rowsOf(instants)): Promise<Buffer> {
  const report: Report = {
    name: 'Times',
    facts: [{ label: 'Report', value: 'Times', type: 'text' }],
    columns: [
      { label: 'Date used', type: 'instant' },
      { label: 'Receipt number', type: 'text' },
    ],
    rowCount: instants.length,
    total: { count: instants.length, cents: 0 },
    rows,
    close: () => Promise.resolve(),
    closed: Promise.resolve(),
  }
  const pieces: Uint8Array[] = []
  for await (const piece of xlsxPieces(report)) pieces.push(piece)
  return Buffer.concat(pieces)
}

it('has no time that a reader which cuts to the millisecond would show a second early', async () => {
  // The step is a prime number of seconds, so that seconds of all hours of several years are among them.
  const instants = Array.from({ length: 3_000 }, (_, at) =>
    new Date(Date.UTC(2024, 0, 1) + at * 30_011_000).toISOString(),
  )
  const [sheet] = await readSheets(await workbookOf(instants), { trim: false })
  const read = sheet!.data.slice(3).map(([at]) => (at instanceof Date ? at.toISOString() : at))
  const onTheWall = instants.map((at) => new Date(Date.parse(at) + 8 * 3_600_000).toISOString())
  expect(read).toEqual(onTheWall)
})

it('fails where there are other rows than were promised', async () => {
  async function* moved(): Report['rows'] {
    yield [['2026-11-20T04:05:06Z', 'R-000001']]
    throw new Error('the ledger moved')
  }
  await expect(workbookOf(['2026-11-20T04:05:06Z'], moved())).rejects.toThrow('the ledger moved')
})
