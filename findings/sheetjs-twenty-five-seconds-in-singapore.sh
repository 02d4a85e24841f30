#!/usr/bin/env bash
# SheetJS on a machine in Singapore reads each time of a workbook 25 seconds early.
#
# Guess: a time of a workbook has no zone, so `cellDates` gives a Date whose local time is what the cell shows, in every zone.
# Seen: SheetJS (xlsx 0.18.5) on Node 20: in Asia/Singapore and in Asia/Kuala_Lumpur a cell that shows 2026-10-01 00:00:00 becomes a Date
#   of 23:59:35 on the day before; in UTC the Date is right. Days of a workbook begin in 1899, when clocks in Singapore were 6:55:25 ahead.
#   A Date gives its offset in whole minutes only, so 25 seconds are lost. The formatted text (`w`) of the same cell is right.
# Why it matters here: every merchant of this programme is in that zone. A merchant may report that the times in a report are 25 seconds
#   off, or that a time at midnight is on the wrong day. The file is right: the merchant's program should read the text or the number. CSV
#   has the same times as text.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund xlsx@0.18.5
cat > look.mjs <<'JS'
import XLSX from 'xlsx'

const DAYS = Date.UTC(2026, 9, 1) / 86_400_000 + 25_569
const cell = { t: 'n', v: DAYS, z: 'yyyy-mm-dd hh:mm:ss' }
const bytes = XLSX.write({ SheetNames: ['A'], Sheets: { A: { '!ref': 'A1', A1: cell } } }, { type: 'buffer' })
const { v, w } = XLSX.read(bytes, { cellDates: true }).Sheets.A.A1
const early = (new Date(2026, 9, 1) - v) / 1_000
console.log(`${process.env.TZ}: text ${w}, Date ${v.toString().slice(0, 24)}, ${early} seconds early`)
process.exit(w === '2026-10-01 00:00:00' && early === Number(process.argv[2]) ? 0 : 1)
JS
as_seen=0
TZ=UTC node look.mjs 0 || as_seen=1
TZ=Asia/Singapore node look.mjs 25 || as_seen=1
TZ=Asia/Kuala_Lumpur node look.mjs 25 || as_seen=1
[[ $as_seen -eq 0 ]] || echo 'This is not what was seen.'
exit "$as_seen"
