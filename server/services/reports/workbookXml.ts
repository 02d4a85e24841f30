export const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Styles by their place in `cellXfs`. */
export const STYLES = { text: 1, money: 2, count: 3, instant: 4, month: 5, header: 6 } as const

/** Where the table of the sheet is: its header, and the last row below it. */
export interface SheetRows {
  header: number
  last: number
}

/** Reports have fewer columns than the alphabet has letters. */
export const letterOf = (column: number): string => String.fromCodePoint(65 + column)

export const filterOf = (columns: number, { header, last }: SheetRows, fixed = ''): string =>
  `${fixed}A${fixed}${header}:${fixed}${letterOf(columns - 1)}${fixed}${last}`

/** Everything of a workbook but its sheet: path and XML. */
export const workbookParts = (columns: number, rows: SheetRows): [path: string, xml: string][] => [
  ['[Content_Types].xml', CONTENT_TYPES],
  ['_rels/.rels', relationships([relationship('rId1', 'officeDocument', 'xl/workbook.xml')])],
  ['xl/workbook.xml', workbook(columns, rows)],
  [
    'xl/_rels/workbook.xml.rels',
    relationships([
      relationship('styles', 'styles', 'styles.xml'),
      relationship('sheet1', 'worksheet', 'worksheets/sheet1.xml'),
    ]),
  ],
  ['xl/styles.xml', STYLE_SHEET],
]

const CONTENT_TYPES = [
  `${HEAD}<Types xmlns="${PACKAGE}/content-types">`,
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
  '<Default Extension="xml" ContentType="application/xml"/>',
  `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>`,
  `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>`,
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/>`,
  '</Types>',
].join('')

const relationship = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
const relationships = (lines: string[]) =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${lines.join('')}</Relationships>`

/** The header is repeated on every printed page; a filter has a name as well, or some spreadsheets do not show it. */
function workbook(columns: number, rows: SheetRows) {
  const named = (name: string, range: string, more = '') =>
    `<definedName name="_xlnm.${name}" localSheetId="0"${more}>'Report'!${range}</definedName>`
  return [
    `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Report" sheetId="1" r:id="sheet1"/></sheets>`,
    '<definedNames>',
    named('_FilterDatabase', filterOf(columns, rows, '$'), ' hidden="1"'),
    named('Print_Titles', `$${rows.header}:$${rows.header}`),
    '</definedNames></workbook>',
  ].join('')
}

const style = (attributes: string) => `<xf fontId="0" fillId="0" borderId="0" xfId="0" ${attributes}/>`

/** Numbers stand at the right, and a date that did would touch the text of the next column. */
const leftStyle = (numFmtId: number) =>
  `<xf fontId="0" fillId="0" borderId="0" xfId="0" numFmtId="${numFmtId}" applyNumberFormat="1" applyAlignment="1"><alignment horizontal="left"/></xf>`

/** `quotePrefix` is the apostrophe of a spreadsheet: what looks like a formula stays text, also once it is edited. */
const STYLE_SHEET = [
  `${HEAD}<styleSheet xmlns="${MAIN}">`,
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm"/></numFmts>',
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  '<cellXfs count="7">',
  style('numFmtId="0"'),
  style('numFmtId="49" quotePrefix="1" applyNumberFormat="1"'),
  style('numFmtId="4" applyNumberFormat="1"'),
  style('numFmtId="3" applyNumberFormat="1"'),
  leftStyle(164),
  leftStyle(165),
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>',
  '</cellXfs>',
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  '</styleSheet>',
].join('')
