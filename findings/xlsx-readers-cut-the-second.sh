#!/usr/bin/env bash
# One program reads a time in a workbook one second early, another reads it correctly, from the same bytes.
#
# Guess: a workbook stores a time as days in a double. The nearest double to a whole second is a few hundred nanoseconds off, so each
#   reader rounds to milliseconds at least, and all show the right second.
# Seen: SheetJS (xlsx 0.18.5, `cellDates`, in UTC) and read-excel-file 9.3.17 truncate. With each, about three of ten times end in .999 of
#   the second before, and not the same ones. exceljs 4.4.0 rounds and has all of them right; so do the formatted texts (`w`) of SheetJS
#   itself.
# Why it matters here: a merchant's program that reads day, hour, minute and second from a report would not find a redemption by its time.
#   Two programs that read two reports of one redemption would differ. server/services/reports/xlsxPieces.ts therefore adds a quarter of a
#   millisecond.
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

const DAY = 86_400
const COUNT = 2_000
const START = Date.UTC(2026, 9, 1) / 1_000
const seconds = Array.from({ length: COUNT }, (_, at) => START + DAY * (at % 60) + ((at * 4_327) % DAY))

/** Counts, for each reader, the times that are not in the second that was meant. */
async function wrongOf(more) {
  const written = new ExcelJS.Workbook()
  const column = written.addWorksheet('A')
  column.addRows(seconds.map((at) => [(at + more) / DAY + 25_569]))
  column.eachRow((row) => (row.getCell(1).numFmt = 'yyyy-mm-dd hh:mm:ss'))
  await written.xlsx.writeFile('times.xlsx')
  const sheet = XLSX.readFile('times.xlsx', { cellDates: true }).Sheets.A
  const plain = await readSheet('times.xlsx')
  const workbook = new ExcelJS.Workbook()
  await workbook.xlsx.readFile('times.xlsx')
  const other = workbook.worksheets[0]
  const readers = {
    'SheetJS, Date': (at) => sheet[`A${at + 1}`].v.toISOString(),
    'SheetJS, text': (at) => sheet[`A${at + 1}`].w.replace(' ', 'T'),
    'read-excel-file': (at) => plain[at][0].toISOString(),
    exceljs: (at) => other.getCell(at + 1, 1).value.toISOString(),
  }
  return Object.entries(readers).map(([name, read]) => {
    const wrong = seconds
      .map((second, at) => [new Date(second * 1_000).toISOString().slice(0, 19), read(at)])
      .filter(([meant, got]) => got.slice(0, 19) !== meant)
    const [first] = wrong
    console.log(`  ${name}: ${wrong.length} of ${COUNT}${first ? `, ${first[0]} is ${first[1]}` : ''}`)
    return wrong.length
  })
}
console.log('the nearest double:')
const bare = await wrongOf(0)
console.log('a quarter of a millisecond more:')
const more = await wrongOf(0.000_25)
const isAsSeen =
  bare[0] > COUNT / 10 && bare[1] === 0 && bare[2] > COUNT / 10 && bare[3] === 0 && more.every((wrong) => wrong === 0)
if (!isAsSeen) console.log('This is not what was seen.')
process.exit(isAsSeen ? 0 : 1)
JS
TZ=UTC node look.mjs
