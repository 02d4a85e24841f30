import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { BYTE_ORDER_MARK, toCsv, unescapeFormula } from '../../domain/csv.ts'
import { branchImport, posImport, type ImportKind } from './importKinds.ts'
import { failedLines, validateRows } from './importRows.ts'
import type { DayOrder } from './readDays.ts'
import { decodeText, readImportFile, readRows, readText } from './readImportFile.ts'

const pos = posImport(false)
const branches = branchImport('101', [{ guid: '01934f3a-0000-7000-8000-000000000001', name: 'East Master' }])
const read = (text: string, kind: ImportKind = pos) => readRows(text, kind.columns)
const cellsOf = (text: string, kind: ImportKind = pos) => {
  const found = read(text, kind)
  return 'rows' in found ? found.rows.map(({ cells }) => Object.values(cells)) : found
}
const failureOf = (text: string, kind: ImportKind = pos) => {
  const found = read(text, kind)
  return 'failure' in found ? found.failure : undefined
}
const bytes = (text: string) => new TextEncoder().encode(text)
const utf16 = (text: string) =>
  new Uint8Array(new Uint16Array([0xfeff, ...[...text].map((c) => c.charCodeAt(0))]).buffer)
const HEADER = 'Username,Branch code'

describe('a file is read by its header', () => {
  it('in any order, case and spelling, between commas, semicolons or tabs', () => {
    for (const delimiter of [',', ';', '\t']) {
      const text = [['branch CODE', 'User name'].join(delimiter), ['TPC-01', 'till-1'].join(delimiter)].join('\r\n')
      expect(cellsOf(text)).toEqual([['till-1', 'TPC-01']])
    }
    expect(cellsOf('sep=;\r\nBranch;Login\r\nA;b\r\n')).toEqual([['b', 'A']])
  })

  it('without the end mark of an export, also after a spreadsheet has saved it', () => {
    for (const end of ['"End of file"\r\n', 'End of file,\r\n', 'End of file']) {
      expect(cellsOf(`${HEADER}\r\ntill-1,TPC-01\r\n${end}`)).toEqual([['till-1', 'TPC-01']])
    }
    expect(cellsOf(`${HEADER}\nEnd of file,TPC-01\n`)).toEqual([['End of file', 'TPC-01']])
  })

  it('whose commas do not confuse it where semicolons are between the cells', () => {
    const text = 'Username;Branch code;Note, or two, or three\nt-1;A;x, y, z\n'
    expect(cellsOf(text)).toEqual([['t-1', 'A']])
    expect(read(text)).toMatchObject({ notes: ['The column Note, or two, or three is not used.'] })
  })

  it('which is named by whole characters where it is long', () => {
    const long = `${'A'.repeat(39)}😀${'B'.repeat(9)}`
    expect(read(`${HEADER},${long}\nt-1,A,x\n`)).toMatchObject({
      notes: [`The column ${'A'.repeat(39)}… is not used.`],
    })
  })

  it('and gives back what was written, whatever is in the cells', () => {
    // Cells are trimmed, as every field of the portal is.
    const cell = fc
      .array(
        fc.constantFrom('a', 'é', '"', '""', ',', ';', '\t', '\n', '\r\n', "'", '=1', '+', '-', '@', ' ', '\u{1F370}'),
      )
      .map((parts) => parts.join('').trim())
    const row = fc.tuple(cell, cell).filter((cells) => cells.some((text) => text !== ''))
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 20 }),
        fc.constantFrom('', BYTE_ORDER_MARK),
        (rows, mark) => {
          // An apostrophe before a sign is written by `harmless`, and looks like one that was typed.
          fc.pre(rows.flat().every((text) => unescapeFormula(text) === text))
          const csv = mark + toCsv([['Username', 'Branch code'], ...rows])
          expect(cellsOf(csv)).toEqual(rows)
        },
      ),
      { seed: 9, numRuns: 500 },
    )
  })

  it('in UTF-8, UTF-16 or Windows-1252, and says so of the last', () => {
    expect(decodeText(bytes('\uFEFFcafé'))).toEqual({ text: 'café', notes: [] })
    expect(decodeText(utf16('café'))).toEqual({ text: 'café', notes: [] })
    const western = decodeText(new Uint8Array([0x63, 0x61, 0x66, 0xe9]))
    expect(western).toMatchObject({ text: 'café', notes: [expect.stringContaining('Windows-1252')] })
  })

  it('as the portal exports POS users, where the branch stands by its code and by its name', () => {
    const exported = 'Username,Branch code,Branch,Status,Last login\ntill-1,TPC-01,Tampines Central,Active,'
    expect(cellsOf(exported)).toEqual([['till-1', 'TPC-01']])
  })
})

/** Returns the first and last day of each row as they are read, or the question. */
function daysOf(pairs: readonly (readonly [string, string])[], order?: DayOrder) {
  const header = branches.columns.map(({ title }) => title).join(';')
  const lines = pairs.map(([from, to]) =>
    branches.columns.map(({ key }) => (key === 'from_day' ? from : key === 'to_day' ? to : 'x')).join(';'),
  )
  const found = readRows([header, ...lines].join('\n'), branches.columns, order)
  return 'rows' in found ? found.rows.map(({ cells }) => [cells['from_day'], cells['to_day']]) : found
}

describe('the days of a file', () => {
  it('are read as spreadsheets write them', () => {
    const pairs = [
      ['1-Dec-26', '5 December 2026'],
      ['2026-12-01 00:00:00', '2026/12/5'],
      ['December 1, 2026', '15/12/26'],
      ['1/12/2026', '31.12.2026'],
    ] as const
    expect(daysOf(pairs)).toEqual([
      ['2026-12-01', '2026-12-05'],
      ['2026-12-01', '2026-12-05'],
      ['2026-12-01', '2026-12-15'],
      ['2026-12-01', '2026-12-31'],
    ])
  })

  it('are all read in the order that one of them proves', () => {
    const american = [
      ['06/05/2026', '06/07/2026'],
      ['11/23/2026', '12/1/2026'],
    ] as const
    expect(daysOf(american)).toEqual([
      ['2026-06-05', '2026-06-07'],
      ['2026-11-23', '2026-12-01'],
    ])
    expect(daysOf([['06/05/2026', '23/11/2026']])).toEqual([['2026-05-06', '2026-11-23']])
  })

  it('are asked about where none of them proves an order', () => {
    const pairs = [['5/5/2026', '12/1/2026']] as const
    expect(daysOf(pairs)).toEqual({ unclear: '12/1/2026' })
    expect(daysOf(pairs, 'day')).toEqual([['2026-05-05', '2026-01-12']])
    expect(daysOf(pairs, 'month')).toEqual([['2026-05-05', '2026-12-01']])
  })

  it('stay as they were typed where they cannot be read, or show two orders', () => {
    const pairs = [
      ['13/1/2026', '1/13/2026'],
      ['12/1/2026', '46357'],
      ['31/2/2026', 'soon'],
    ] as const
    expect(daysOf(pairs)).toEqual([
      ['2026-01-13', '2026-01-13'],
      ['12/1/2026', '46357'],
      ['31/2/2026', 'soon'],
    ])
    const { errors } = branches.validate({ from_day: '12/1/2026', to_day: '46357' })
    expect(errors).toMatchObject({ from_day: 'Write it as 2026-12-01.', to_day: 'Write it as 2026-12-01.' })
  })
})

describe('a file that is none gets one clear answer', () => {
  it('of Excel, of bytes, empty, too large', async () => {
    const zip = new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0, 0])
    const xls = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1])
    for (const excel of [zip, xls])
      expect(decodeText(excel)).toEqual({ failure: expect.stringContaining('Excel file') })
    const ods = bytes('PK\u0003\u0004-----------mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK')
    expect(decodeText(ods)).toEqual({ failure: expect.stringContaining('This is a LibreOffice file.') })
    expect(decodeText(new Uint8Array([65, 0, 66]))).toEqual({ failure: expect.stringContaining('not a text file') })
    expect(await readText(new File([], 'a.csv'))).toEqual({ failure: 'a.csv is empty.' })
    // Its size is given, and it is never read.
    const huge = Object.defineProperty(new File(['x'], 'a.csv'), 'size', { value: 100 * 1_048_576 })
    huge.arrayBuffer = () => Promise.reject(new Error('was read'))
    expect(await readText(huge)).toEqual({ failure: 'a.csv is 104.9 MB. A file may have at most 5 MB.' })
  })

  it('with wrong, missing or doubled columns', () => {
    expect(failureOf('Colour,Size\nred,1')).toContain('names none of the columns')
    expect(failureOf('Username\nt-1')).toBe('The file has no column Branch code. Start from the template.')
    const allButTwo = branches.columns.filter(({ key }) => key !== 'code' && key !== 'pin').map(({ title }) => title)
    expect(failureOf(`${allButTwo.join(',')}\nx`, branches)).toBe(
      'The file has no columns Branch code and Branch PIN. Start from the template.',
    )
    expect(failureOf('User,Login,Branch\na,b,c')).toBe(
      'The columns User and Login are both Username. Keep one of them.',
    )
    expect(failureOf('\n\n')).toContain('names none of the columns')
    expect(failureOf(HEADER)).toBe('The file has no rows below its header.')
  })

  it('with a quotation mark that is not closed', () => {
    expect(failureOf(`${HEADER}\nt-1,A\n"t-2,A\nt-3,A\n`)).toContain('quotation mark that is not closed')
  })

  it('with more rows than an import may have, and takes exactly as many', () => {
    const rows = (count: number) => `${HEADER}\n${Array.from({ length: count }, (_, n) => `t-${n},A`).join('\n')}`
    expect(failureOf(rows(LIMITS.importRows))).toBeUndefined()
    expect(failureOf(rows(LIMITS.importRows + 1))).toContain('The file has 5,001 rows.')
  })
})

describe('rows are validated where they stand', () => {
  const rowsOf = async (kind: ImportKind, text: string) => {
    const read = await readImportFile(kind.columns, new File([text], 'a.csv'))
    if (!('rows' in read)) throw new Error(JSON.stringify(read))
    return validateRows(kind, read.rows)
  }

  it('a duplicate on both rows, whatever the case, by the rows of the spreadsheet', async () => {
    const rows = await rowsOf(pos, `${HEADER}\nTill-1,A\ntill-2,A\nTILL-1,A`)
    expect(rows.map(({ number, errors }) => [number, errors])).toEqual([
      [2, ['Username: Also in row 4.']],
      [3, []],
      [4, ['Username: Also in row 2.']],
    ])
  })

  it('a row with too many cells, a formula, a weak PIN and a master nobody knows', async () => {
    const [wide] = await rowsOf(pos, `${HEADER}\nt-1,A,oops`)
    expect(wide!.errors).toEqual([expect.stringContaining('more cells than the header')])
    const cells: Record<string, string> = {
      name: '=HYPERLINK("x")',
      code: 'A-1',
      email: 'a@test.example',
      'business.address': '4 Tampines Central 5',
      'business.postal_code': '529510',
      'business.contact_number': '+65 6555 0142',
      'financial_contact.name': 'Nadia',
      'financial_contact.email': 'n@test.example',
      'financial_contact.contact_number': '+65 6555 0143',
      pin: '123456',
      from_day: '',
      to_day: '',
      master_guid: 'east master',
    }
    const row = { number: 2, cells, hasExtraCells: false }
    const [fine] = validateRows(branches, [row])
    expect(fine).toMatchObject({ errors: [], record: { kind: 'permanent', master_guid: expect.any(String) } })
    expect(fine!.warnings).toEqual([
      'Branch name: Looks like a formula. It is read as text.',
      'Branch PIN: This PIN is easy to guess.',
    ])
    const [odd] = validateRows(branches, [{ ...row, cells: { ...cells, master_guid: 'Nobody', to_day: '2026-11-20' } }])
    expect(odd!.errors.map((words) => words.slice(0, 9)).toSorted()).toEqual(['First day', 'Managed b'])
  })

  it.each([
    ['9.71519E+12', 'Has a spreadsheet shortened this number?'],
    ['1-Dec', 'Has a spreadsheet turned this into a date?'],
    ['1-Dec-26', 'Has a spreadsheet turned this into a date?'],
    ['Dec-26', 'Has a spreadsheet turned this into a date?'],
    ['#REF!', 'This is a spreadsheet error.'],
    ['#N/A', 'This is a spreadsheet error.'],
    ['########', 'This is a spreadsheet error.'],
  ])('%j is what a spreadsheet has left, and is warned of', async (username, warning) => {
    const rows = await rowsOf(pos, `${HEADER}\n${username},A\nMay,A`)
    expect(rows.map(({ warnings }) => warnings)).toEqual([[`Username: ${warning}`], []])
  })

  it('a postal code gets back the 0 that a spreadsheet has dropped, with a word about it', () => {
    const cells = { 'business.postal_code': '18989' }
    const { warnings, errors } = branches.validate(cells)
    expect(warnings).toEqual({ 'business.postal_code': 'Read as 018989. Spreadsheets drop the first 0.' })
    expect(errors).not.toHaveProperty(['business.postal_code'])
  })

  it('and those that fail are written so that no spreadsheet runs them, and read back as they were', async () => {
    const lines = failedLines(pos, await rowsOf(pos, `${HEADER}\n"=cmd|' /C calc'!A0","no code!"`))
    expect(lines).toEqual([
      ['Username', 'Branch code', 'Error'],
      [`=cmd|' /C calc'!A0`, 'no code!', expect.stringContaining('letters, digits and dashes only')],
    ])
    const csv = toCsv(lines)
    expect(csv).toContain(`'=cmd|`)
    expect(cellsOf(csv)).toEqual([[`=cmd|' /C calc'!A0`, 'no code!']])
    expect(read(csv)).toMatchObject({ notes: [] })
  })
})
