#!/usr/bin/env bash
# A file between semicolons is read between commas, quotation marks or not, when each line has one comma in a text.
#
# Guess: of the delimiters that Papa Parse tries, one that splits every line into as many fields wins, and of two such the one that leaves
#   no quotation mark in the middle of a field.
# Seen: Papa Parse 5.7.1 takes the one it tries first, the comma, where both give two fields on each line, and tells of no error.
#   `2000125021896;"5,00"` becomes `2000125021896;"5` and `00"`. The semicolon wins only when it gives more fields, or the commas are
#   uneven.
# Why it matters here: Excel writes semicolons where a comma is for decimals, and a file of branches with a serial, a name or an address
#   beside a header such as "Amount, SGD" is such a tie. src/features/imports/readImportFile.ts therefore looks for the delimiter by the
#   names of the columns and hands it over.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund papaparse@5.7.1
cat > look.mjs <<'JS'
import Papa from 'papaparse'

/** The file, which always has semicolons, and the delimiter that is found. */
const FILES = [
  ['Serial;Amount\n2000125021896;5,00\n2000125021902;7,50\n', ';'],
  ['Serial;Amount, SGD\n2000125021896;5,00\n2000125021902;7,50\n', ','],
  ['Serial;"Amount, SGD"\n2000125021896;"5,00"\n2000125021902;"7,50"\n', ','],
  ['Branch;Address, postal code\nAMK;1 First Ave, S100001\nTPY;2 Second Rd, S100002\n', ','],
  ['Branch;Amount, SGD;Till\nAMK;5,00;1\nTPY;7,50;2\n', ';'],
]
let isAsSeen = true
for (const [text, delimiter] of FILES) {
  const { data, errors, meta } = Papa.parse(text, { skipEmptyLines: true })
  console.log(`${text.split('\n')[1]}: between ${meta.delimiter}, ${JSON.stringify(data[1])}, ${errors.length} errors`)
  if (meta.delimiter !== delimiter || errors.length > 0) isAsSeen = false
}
if (!isAsSeen) console.log('This is not what was seen.')
process.exit(isAsSeen ? 0 : 1)
JS
node look.mjs
