#!/usr/bin/env bash
# Papa Parse splits a file with semicolons at its commas when each line has one comma in a text, even within quotation marks.
#
# Guess: of the delimiters that Papa Parse tries, the one wins that splits every line into the same number of fields. Of two such
#   delimiters, the one wins that leaves no quotation mark in the middle of a field.
# Seen: where both give two fields on each line, Papa Parse 5.7.1 takes the delimiter that it tries first, the comma, and reports no
#   error. `2000125021896;"5,00"` becomes `2000125021896;"5` and `00"`. The semicolon wins only if it gives more fields, or if the number of
#   commas varies.
# Why it matters here: Excel writes semicolons in countries with a decimal comma. A file of branches with a header such as "Address,
#   postal code" is such a tie. src/features/imports/readImportFile.ts therefore finds the delimiter by the names of the columns and passes
#   it to Papa Parse.
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
