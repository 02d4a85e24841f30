#!/usr/bin/env bash
# The apostrophe that keeps a cell of a CSV file from being run is gone once Gnumeric has saved the file, and the next one runs it.
#
# Guess: an apostrophe in front is a sign for those who type into a cell. In a CSV file it is a character of the text, so a spreadsheet
#   that opens `'=1+1` shows all of it, and writes it back as it was.
# Seen: Gnumeric 1.12.55 (Debian 12; its ssconvert) takes it for the same sign as a typed one: the cell is the text `=1+1`, and in the CSV
#   that it saves there is nothing in front. Opened once more, that file has 2. `'tis` loses its apostrophe as well; `O'Brien` keeps it.
# Why it matters here: src/domain/csv.ts writes one in front of what a spreadsheet would run, and takes it away again when a file is
#   imported. That holds for the first program that opens a file and for no second one. Remarks are safe in the workbook, where a cell is
#   text by its type, and an import has to take a text that begins with `=` with the apostrophe or without.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# It has no place in a folder of its own: it looks for its parts below /usr.
command -v ssconvert > /dev/null || apt-get install -qq -y --no-install-recommends gnumeric=1.12.55-1 > /dev/null
echo "Gnumeric $(dpkg-query --show --showformat='${Version}' gnumeric)"
printf '%s\r\n' Remark "'=1+1" "'@shop" "'tis" "O'Brien" > first.csv
ssconvert first.csv second.csv 2> ssconvert.log
ssconvert second.csv third.csv 2>> ssconvert.log
row() { tr -d '\r' < "$1" | paste -s -d ' '; }
for file in first second third; do echo "$file: $(row "$file.csv")"; done
if [[ $(row second.csv) != "Remark =1+1 @shop tis O'Brien" || $(row third.csv) != "Remark 2 @shop tis O'Brien" ]]; then
  echo 'This is not what was seen.'
  exit 1
fi
