#!/usr/bin/env bash
# An amount whose number format ends in a plain letter is a day in 1900 for exceljs.
#
# Guess: readers know a day by its number format, and leave out what the format has as plain text: within quotation marks, within brackets,
#   or behind a backslash.
# Seen: exceljs 4.4.0 takes the backslashes away when it reads a format. 45.5 in `0.0\ \d` (45.5 d) comes as a Date of 13 February 1900,
#   and so it does with `\s`, `\h`, `\m` and `\y`. In `0.0\ \S\G\D` it stays a number, but written again by exceljs the format is `0.0
#   SGD`, whose S is one of seconds, and now it is that Date for SheetJS too. Before, SheetJS (xlsx 0.18.5) and read-excel-file 9.3.17 have
#   the number each time.
# Why it matters here: a unit behind an amount in a report has to be written within quotation marks (`0.0" d"`), though both mean the same
#   to Excel. server/services/reports/workbookXml.ts has a backslash in front of `-` and of a space alone, in formats of days.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund xlsx@0.18.5 read-excel-file@9.3.17 exceljs@4.4.0
cat > look.mjs <<'JS'
import ExcelJS from 'exceljs'
import { readSheet } from 'read-excel-file/node'
import XLSX from 'xlsx'

/** The format, and whether exceljs takes it for one of a day. */
const FORMATS = [
  ['0.0\\ \\d', true],
  ['0.0\\ \\s', true],
  ['0.0\\ \\h', true],
  ['0.0\\ \\m', true],
  ['0.0\\ \\y', true],
  ['0.0" d"', false],
  ['0.0\\ \\S\\G\\D', false],
  ['[$SGD] 0.0', false],
]
const rows = FORMATS.map(([z]) => [{ t: 'n', v: 45.5, z }])
XLSX.writeFile({ SheetNames: ['A'], Sheets: { A: XLSX.utils.aoa_to_sheet(rows) } }, 'amounts.xlsx')
const sheetOf = (file) => XLSX.readFile(file, { cellDates: true, cellNF: true }).Sheets.A
const sheet = sheetOf('amounts.xlsx')
const plain = await readSheet('amounts.xlsx')
const workbook = new ExcelJS.Workbook()
await workbook.xlsx.readFile('amounts.xlsx')
const told = (value) => (value instanceof Date ? value.toISOString() : String(value))
let isAsSeen = true
for (const [at, [format, isDay]] of FORMATS.entries()) {
  const cell = sheet[`A${at + 1}`]
  const { value } = workbook.worksheets[0].getCell(at + 1, 1)
  console.log(`${format}: exceljs ${told(value)}, SheetJS ${told(cell.v)} (${cell.w}), read-excel-file ${told(plain[at][0])}`)
  const others = cell.v === 45.5 && plain[at][0] === 45.5
  if (!others || (isDay ? !(value instanceof Date) : value !== 45.5)) isAsSeen = false
}
await workbook.xlsx.writeFile('again.xlsx')
const again = sheetOf('again.xlsx')[`A${1 + FORMATS.findIndex(([format]) => format.includes('\\S'))}`]
console.log(`written again by exceljs: SheetJS ${told(again.v)} in ${again.z}`)
if (again.z !== '0.0 SGD' || !(again.v instanceof Date)) isAsSeen = false
if (!isAsSeen) console.log('This is not what was seen.')
process.exit(isAsSeen ? 0 : 1)
JS
node look.mjs
