#!/usr/bin/env bash
# Guess: a reader of XLSX rounds a time to the millisecond, so a whole second that another program wrote comes back as that second.
# Seen: SheetJS (xlsx 0.18.5, cellDates) and read-excel-file 9.3.17 cut instead. A day number is a double, and the nearest one lies
# below the second as often as above it: of 1,400 whole seconds written by ExcelJS 4.4.0, about a quarter or more come back as .999
# of the second before. ExcelJS itself reads all of them right. With a quarter of a millisecond added by the writer all agree.
# Why it matters here: a report as XLSX and as CSV must show the same second of a redemption in whatever reads them
# (server/services/reports/sheetXml.ts adds the quarter).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund exceljs@4.4.0 xlsx@0.18.5 read-excel-file@9.3.17
cat > times.cjs <<'JS'
const ExcelJS = require('exceljs')
const XLSX = require('xlsx')
const { default: readSheets } = require('read-excel-file/node')
const START = Date.UTC(2026, 9, 1)
const seconds = Array.from({ length: 1400 }, (_, at) => START + at * 1_931_000)

async function write(file, more) {
  const book = new ExcelJS.Workbook()
  const sheet = book.addWorksheet('Times')
  for (const at of seconds) {
    const cell = sheet.addRow([(at + more) / 86_400_000 + 25_569]).getCell(1)
    cell.numFmt = 'yyyy-mm-dd hh:mm:ss'
  }
  await book.xlsx.writeFile(file)
}

const early = (read) => read.filter((date, at) => Math.floor(new Date(date).getTime() / 1000) < seconds[at] / 1000).length

async function count(file) {
  const sheet = XLSX.readFile(file, { cellDates: true }).Sheets.Times
  const sheetjs = early(seconds.map((_, at) => sheet[`A${at + 1}`].v))
  const [{ data }] = await readSheets(file)
  const readExcelFile = early(data.map(([date]) => date))
  const book = new ExcelJS.Workbook()
  await book.xlsx.readFile(file)
  const exceljs = early(seconds.map((_, at) => book.worksheets[0].getCell(at + 1, 1).value))
  return { sheetjs, readExcelFile, exceljs }
}

;(async () => {
  await write('plain.xlsx', 0)
  await write('quarter.xlsx', 0.25)
  const [plain, quarter] = [await count('plain.xlsx'), await count('quarter.xlsx')]
  console.log('a second early of 1,400, as written:            ', plain)
  console.log('a second early of 1,400, a quarter of a ms later:', quarter)
  const same = plain.sheetjs > 200 && plain.readExcelFile > 200 && plain.exceljs === 0
  const none = quarter.sheetjs + quarter.readExcelFile + quarter.exceljs === 0
  if (!same || !none) throw new Error('This is not what was seen before.')
})()
JS
TZ=UTC node times.cjs
