#!/usr/bin/env bash
# Gnumeric removes the apostrophe that keeps a cell of a CSV file from being run as a formula. The next program runs the cell.
#
# Guess: a person who types a cell puts an apostrophe in front to mark it as text. In a CSV file it is a character of the text, so a
#   spreadsheet that opens `'=1+1` shows all of it, and writes it back unchanged.
# Seen: Gnumeric 1.12.55 (Debian 12; its ssconvert) treats it like a typed apostrophe. The cell is the text `=1+1`, and the CSV that
#   Gnumeric saves has no apostrophe. Opened again, that file has 2. `'tis` loses its apostrophe as well; `O'Brien` keeps it.
# Why it matters here: src/domain/csv.ts puts an apostrophe in front of text that a spreadsheet would run, and an import removes it. This
#   protects in the first program that opens a file, but not in a second one. Remarks are safe in the workbook, where the type of a cell
#   makes it text. An import must accept a text that begins with `=` with and without the apostrophe.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# Gnumeric cannot be installed in the temporary folder: it looks for its parts below /usr.
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
